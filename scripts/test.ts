/**
 * `npm test`: lint, types, unit and integration tests, build, end-to-end tests in a real browser. `--long` runs the
 * soak test and many more seeds; `--only lint|unit|e2e` runs one group. The last line is the result.
 */
import { mkdirSync, rmSync } from 'node:fs';
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
import { countPlaywright } from './test/reports.ts';
import { provideS3, s3 } from './test/s3.ts';
import { provideSerialPrograms, serialPrograms } from './test/serial-programs.ts';
import { provideSimavr, simavr } from './test/simavr.ts';
import { type Counts, commandStep, countsText, failedOnce, passedOnce, runNode, type Step, sum } from './test/step.ts';
import { provideStm32flash, stm32flash } from './test/stm32flash.ts';
import { provideTerminalPrograms, terminalPrograms } from './test/terminal-programs.ts';
import { reports, runVitest } from './test/vitest.ts';
import { compiler, prepareWebSerial } from './test/web-serial.ts';

const { values } = parseArgs({ options: { long: { type: 'boolean' }, only: { type: 'string' } } });
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

async function endToEndTests(): Promise<Counts> {
  const browser = await provideBrowser();
  if (!browser) {
    console.error('No Chromium could be found or installed: set CHROME to its path. End-to-end tests skipped.');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const shell = await provideHeadlessShell();
  const env: NodeJS.ProcessEnv = { CHROME: browser, ...(shell === undefined ? {} : { CHROME_HEADLESS_SHELL: shell }) };
  let missing = 0;
  for (const part of [await prepareWebSerial(), await provideOldChromium(), await provideFirefox()]) {
    if ('missing' in part) {
      console.error(`Skipped: ${part.missing}.`);
      missing++;
    } else {
      Object.assign(env, part);
    }
  }
  const counts = await runPlaywright(env);
  return { ...counts, skipped: counts.skipped + missing };
}

async function runPlaywright(env: NodeJS.ProcessEnv): Promise<Counts> {
  const file = join(reports, 'playwright.json');
  // Playwright sets a colour variable for its own processes. Node warns in each process that has two of them.
  const plain = { NO_COLOR: undefined };
  const port = { WIREBENCH_E2E_PORT: String(await freePort()), PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...plain };
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'];
  return countPlaywright(
    file,
    await runNode([bin('@playwright/test', 'cli.js'), ...args], { ...long, ...env, ...port }),
  );
}

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
  { name: 'Unit and integration tests', group: 'unit', run: () => runVitest('vitest', [], long) },
  { name: 'Image', group: 'unit', run: checkImage },
  { name: 'Build', group: 'e2e', run: build },
  { name: 'End-to-end tests', group: 'e2e', run: endToEndTests },
];

keepTemporaryFilesInMemory();
compileModulesOnce();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

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
  const counts = await run();
  results.push({ name, ...counts, seconds: Math.round((performance.now() - start) / 1_000) });
}

console.log('');
console.table(Object.fromEntries(results.map(({ name, ...counts }) => [name, counts])));
const counts = sum(results);
console.log(countsText(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
