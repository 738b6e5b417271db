/**
 * `npm test`: lint, types, unit and integration tests, build, end-to-end tests in a real browser. The last line is the
 * result.
 *
 * - `--only lint|unit|e2e` runs one group, and a name after it the test files whose path contains it.
 * - `--long` runs the soak test and many more random inputs, from a new seed.
 * - `--part 2/4` runs the second of four parts of the test files.
 * - `--minutes 84` ends the run by itself that long after its start.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LONG_VARIABLE, SEED_VARIABLE } from '@wirebench/test-input';
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
import { provideNodes } from './test/node-versions.ts';
import { provideOldChromium } from './test/old-chromium.ts';
import { installMissing } from './test/packages.ts';
import { postgres, providePostgres } from './test/postgres.ts';
import { provideRedis, redis } from './test/redis.ts';
import { countReport, failedTestsOf, type TestReport } from './test/report.ts';
import { playwright, vitest } from './test/runners.ts';
import { provideS3, s3 } from './test/s3.ts';
import { decide, type FirstRun, type TestRunner } from './test/second-run.ts';
import { provideSerialPrograms, serialPrograms } from './test/serial-programs.ts';
import { provideSimavr, simavr } from './test/simavr.ts';
import { type Counts, commandStep, countsText, failedOnce, passedOnce, type Step, sum } from './test/step.ts';
import { provideStm32flash, stm32flash } from './test/stm32flash.ts';
import { provideTerminalPrograms, terminalPrograms } from './test/terminal-programs.ts';
import { startOfRun, TimeLimit } from './test/time-limit.ts';
import { compiler, prepareWebSerial } from './test/web-serial.ts';

const { values, positionals } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    only: { type: 'string' },
    part: { type: 'string' },
    minutes: { type: 'string', default: '84' },
  },
  allowPositionals: true,
});

/** Milliseconds for the whole second run. */
const SECOND_RUN = 15 * 60_000;

/** Lines of failures, errors and files at the end. With the tables, the end has less than 200 lines. */
const MAX_LINES = 40;

const SLOWEST = 10;

const limit = new TimeLimit(startOfRun() + Number(values.minutes) * 60_000);

if (values.long) {
  process.env[LONG_VARIABLE] = '1';
  process.env[SEED_VARIABLE] ??= String(randomInt(2 ** 32));
}
const seed = process.env[SEED_VARIABLE];
if (seed !== undefined) {
  console.log(`Seed of the random inputs: ${seed}`);
}

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

const unitTests = vitest({ name: 'vitest', filters: positionals, part: values.part });

const browserTests = playwright({
  name: 'playwright',
  args: ['--config', 'e2e/playwright.config.ts'],
  filters: positionals,
  part: values.part,
  // Playwright sets a colour variable for its own processes. Node warns in each process that has two of them.
  env: async () => ({ ...browsers, WIREBENCH_E2E_PORT: String(await freePort()), NO_COLOR: undefined }),
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
  { name: 'Versions of Node', group: 'unit', run: () => provideNodes(values.long) },
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
const notRun: string[] = [];
for (const { name, group, run } of steps) {
  if (values.only !== undefined && values.only !== group) {
    continue;
  }
  if (limit.isOver()) {
    notRun.push(name);
    continue;
  }
  console.log(`\n── ${name}`);
  const start = performance.now();
  const counts = await limit.within(async () => {
    if (group !== 'lint') {
      await installing;
    }
    return run(name);
  });
  if (limit.isOver()) {
    notRun.push(`the rest of ${name}`);
  }
  results.push({
    name,
    ...(counts ?? { passed: 0, failed: 0, skipped: 0 }),
    seconds: Math.round((performance.now() - start) / 1_000),
  });
}

const secondStart = performance.now();
const secondEnd = Date.now() + SECOND_RUN;
const verdicts = await decide(
  firstRuns,
  (path) => console.log(`\n── Second run of ${path}`),
  (start) => limit.within(start, secondEnd),
);
const rows = results.map((result) => ({ ...result, ...verdicts.get(result.name)?.counts }));
const passedLater = [...verdicts.values()].flatMap((verdict) => verdict.passedLater);
const failures = [...verdicts.values()].flatMap((verdict) => verdict.failures);

/** Prints lines, so many that the end of the output shows all tables. */
function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) {
    console.log(`\n${title}`);
    for (const line of lines.slice(0, MAX_LINES)) {
      console.log(`  ${line}`);
    }
    if (lines.length > MAX_LINES) {
      console.log(`  and ${lines.length - MAX_LINES} more`);
    }
  }
}

/** Prints the files of a first run that took longest. */
function listSlowest(step: string, { files }: TestReport): void {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  console.log(`\nSlowest files: ${step}`);
  console.table(slowest.map(({ path, project, seconds }) => ({ path, project, seconds: Number(seconds.toFixed(1)) })));
}

/** Prints how to repeat files: the seed decides their random inputs, whatever else runs. */
function listRepeats(): void {
  const repeats = [...firstRuns].flatMap(([name, { report }]) => {
    const group = steps.find((step) => step.name === name)?.group;
    const files = (report?.files ?? []).filter((file) => failedTestsOf(file).length > 0);
    const command = values.long ? 'npm run test:long' : 'npm test';
    const variable = seed === undefined ? '' : `${SEED_VARIABLE}=${seed} `;
    return files.map(({ path }) => `${variable}${command} -- --only ${group} ${path}`);
  });
  list('To repeat', [...new Set(repeats)].slice(0, SLOWEST));
}

for (const [step, { report }] of firstRuns) {
  if (report !== null && report.files.length > 0) {
    listSlowest(step, report);
  }
}
if (passedLater.length > 0) {
  console.log('\nPassed in the second run');
  console.table(passedLater.map(({ load, ...row }) => ({ ...row, load: load.toFixed(1) })));
}
list('Failed', failures);
list(`Ended after ${values.minutes} minutes. Not run`, notRun);
listRepeats();
console.log('');
const seconds = Math.round((performance.now() - secondStart) / 1_000);
console.table({
  ...Object.fromEntries(rows.map(({ name, ...row }) => [name, row])),
  'Second run': { passed: '', failed: '', skipped: '', seconds },
});
const counts = sum(rows);
const failed = counts.failed + notRun.length;
await limit.endProcesses();
console.log(`${passedLater.length} in the second run`);
console.log(countsText({ ...counts, failed }));
process.exit(failed === 0 && counts.passed > 0 ? 0 : 1);
