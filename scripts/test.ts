/**
 * `npm test`: lint, types, unit and integration tests, build, end-to-end tests in a real browser. `--long` runs the
 * soak test and many more seeds; `--only lint|unit|e2e` runs one group, and a name after it the test files whose path
 * contains it. The last line is the result.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { probeCompilers, provideProbeCompilers } from './probe/probe-compilers.ts';
import { avrdude, provideAvrdude } from './test/avrdude.ts';
import { debianChromium, debianHeadlessShell, provideBrowser, provideHeadlessShell } from './test/browser.ts';
import { provideCaddy } from './test/caddy.ts';
import { compileModulesOnce } from './test/compile-cache.ts';
import { esptool, provideEsptool } from './test/esptool.ts';
import { firefox, provideFirefox } from './test/firefox.ts';
import { checkImage } from './test/image.ts';
import { lrzsz, provideLrzsz } from './test/lrzsz.ts';
import { keepTemporaryFilesInMemory } from './test/memory-folder.ts';
import { provideNodeTwenty } from './test/node-twenty.ts';
import { provideOldChromium } from './test/old-chromium.ts';
import { installMissing } from './test/packages.ts';
import { postgres, providePostgres } from './test/postgres.ts';
import { provideRedis, redis } from './test/redis.ts';
import { countReport } from './test/report.ts';
import { playwright, vitest } from './test/runners.ts';
import { provideS3, s3 } from './test/s3.ts';
import { decide, type FirstRun, type TestRunner } from './test/second-run.ts';
import { provideSerialPrograms, serialPrograms } from './test/serial-programs.ts';
import { provideSimavr, simavr } from './test/simavr.ts';
import { type Counts, commandStep, countsText, failedOnce, passedOnce, type Step, sum } from './test/step.ts';
import { provideStm32flash, stm32flash } from './test/stm32flash.ts';
import { provideTerminalPrograms, terminalPrograms } from './test/terminal-programs.ts';
import { compiler, prepareWebSerial } from './test/web-serial.ts';

const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
});
const long = values.long ? { WIREBENCH_TEST_LONG: '1' } : {};

/** Biome colours its last line even if `NO_COLOR` is set. */
const biomeColors = process.stdout.isTTY ? 'force' : 'off';

const bin = (name: string, path: string) => join(root, 'node_modules', name, path);

async function build(): Promise<Counts> {
  try {
    if (!webIsBuilt()) {
      await buildWeb();
    }
    return passedOnce;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return failedOnce;
  }
}

/** Variables of the browser tests. Null without a Chromium. */
let browsers: NodeJS.ProcessEnv | null = null;

async function provideBrowsers(): Promise<Counts> {
  const browser = await provideBrowser();
  if (!browser) {
    console.error('No Chromium could be found or installed: set CHROME to its path. End-to-end tests skipped.');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const shell = await provideHeadlessShell();
  browsers = { CHROME: browser, ...(shell === undefined ? {} : { CHROME_HEADLESS_SHELL: shell }) };
  let missing = 0;
  for (const part of [await prepareWebSerial(), await provideOldChromium(), await provideFirefox()]) {
    if ('missing' in part) {
      console.error(`Skipped: ${part.missing}.`);
      missing++;
    } else {
      Object.assign(browsers, part);
    }
  }
  return { passed: 4 - missing, failed: 0, skipped: missing };
}

/** First runs of the test runners, by the name of their step. */
const firstRuns = new Map<string, FirstRun>();

async function runFirst(step: string, runner: TestRunner): Promise<Counts> {
  const report = await runner.run();
  firstRuns.set(step, { runner, report });
  return countReport(report);
}

const unitTests = vitest({ name: 'vitest', filters: positionals, env: () => long });

const browserTests = playwright({
  name: 'playwright',
  args: ['--config', 'e2e/playwright.config.ts'],
  filters: positionals,
  // Playwright sets a colour variable for its own processes. Node warns in each process that has two of them.
  env: async () => ({ ...long, ...browsers, WIREBENCH_E2E_PORT: String(await freePort()), NO_COLOR: undefined }),
});

const endToEndTests = (step: string): Promise<Counts> | Counts =>
  browsers === null ? { passed: 0, failed: 0, skipped: 1 } : runFirst(step, browserTests);

const steps: readonly Step[] = [
  commandStep('Format and lint', 'lint', [bin('@biomejs/biome', 'bin/biome'), 'ci', `--colors=${biomeColors}`, '.']),
  commandStep('Structure', 'lint', ['scripts/check-structure.ts']),
  commandStep('Unused code', 'lint', [bin('knip', 'bin/knip.js')]),
  commandStep('Types', 'lint', ['scripts/typecheck.ts']),
  { name: 'PostgreSQL', group: 'unit', run: providePostgres },
  { name: 'S3', group: 'unit', run: provideS3 },
  { name: 'Redis', group: 'unit', run: provideRedis },
  { name: 'Caddy', group: 'unit', run: provideCaddy },
  { name: 'esptool', group: 'unit', run: provideEsptool },
  { name: 'stm32flash', group: 'unit', run: provideStm32flash },
  { name: 'avrdude', group: 'unit', run: provideAvrdude },
  { name: 'simavr', group: 'unit', run: provideSimavr },
  { name: 'Programs for terminals', group: 'unit', run: provideTerminalPrograms },
  { name: 'lrzsz', group: 'unit', run: provideLrzsz },
  { name: 'Serial programs', group: 'unit', run: provideSerialPrograms },
  { name: 'Compilers of the probe', group: 'unit', run: provideProbeCompilers },
  { name: 'Node 20', group: 'unit', run: provideNodeTwenty },
  { name: 'Unit and integration tests', group: 'unit', run: (step) => runFirst(step, unitTests) },
  { name: 'Image', group: 'unit', run: () => checkImage() },
  { name: 'Build', group: 'e2e', run: build },
  { name: 'Browsers', group: 'e2e', run: provideBrowsers },
  { name: 'End-to-end tests', group: 'e2e', run: endToEndTests },
];

keepTemporaryFilesInMemory();
compileModulesOnce();

// Installs in the background while the lint steps run, which need none of these tools.
const tools = [
  postgres,
  s3,
  redis,
  esptool,
  stm32flash,
  avrdude,
  simavr,
  terminalPrograms,
  lrzsz,
  serialPrograms,
  ...probeCompilers,
  debianChromium,
  debianHeadlessShell,
  firefox,
  compiler,
];
const installing = installMissing(tools.filter(({ group }) => values.only === undefined || values.only === group));

const results: (Counts & { readonly name: string; readonly seconds: number })[] = [];
for (const { name, group, run } of steps) {
  if (values.only !== undefined && values.only !== group) {
    continue;
  }
  console.log(`\n── ${name}`);
  const start = performance.now();
  if (group !== 'lint') {
    await installing;
  }
  const counts = await run(name);
  results.push({ name, ...counts, seconds: Math.round((performance.now() - start) / 1_000) });
}

const secondStart = performance.now();
const verdicts = await decide(firstRuns, (path) => console.log(`\n── Second run of ${path}`));
const rows = results.map((result) => ({ ...result, ...verdicts.get(result.name)?.counts }));
const passedLater = [...verdicts.values()].flatMap((verdict) => verdict.passedLater);
const failures = [...verdicts.values()].flatMap((verdict) => verdict.failures);

if (passedLater.length > 0) {
  console.log('\nPassed in the second run');
  console.table(passedLater.map(({ load, ...row }) => ({ ...row, load: load.toFixed(1) })));
}
if (failures.length > 0) {
  console.log('\nFailed');
  for (const failure of failures) {
    console.log(`  ${failure}`);
  }
}
console.log('');
const seconds = Math.round((performance.now() - secondStart) / 1_000);
console.table({
  ...Object.fromEntries(rows.map(({ name, ...row }) => [name, row])),
  'Second run': { passed: '', failed: '', skipped: '', seconds },
});
const counts = sum(rows);
console.log(`${passedLater.length} in the second run`);
console.log(countsText(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
