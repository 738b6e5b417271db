/**
 * `npm test`: lint, types, unit and integration tests, build, end-to-end tests in a real browser.
 * `--long` runs the soak and many more seeds; `--only lint|unit|e2e` one group. The last line says how it went.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { buildWeb, root, webIsBuilt } from './build/web.ts';
import { provideProbeCompilers } from './probe/probe-compilers.ts';
import { provideBrowser } from './test/browser.ts';
import { provideCaddy } from './test/caddy.ts';
import { provideEsptool } from './test/esptool.ts';
import { keepTemporaryFilesInMemory } from './test/memory-folder.ts';
import { provideOldChromium } from './test/old-chromium.ts';
import { atOnce, HeldOutput, type Output } from './test/output.ts';
import { providePostgres } from './test/postgres.ts';
import { provideRedis } from './test/redis.ts';
import { countPlaywright } from './test/reports.ts';
import { provideS3 } from './test/s3.ts';
import { type Counts, commandStep, countsText, failedOnce, passedOnce, runNode, type Step, sum } from './test/step.ts';
import { provideStm32flash } from './test/stm32flash.ts';
import { reports, runVitest } from './test/vitest.ts';
import { prepareWebSerial } from './test/web-serial.ts';

const { values } = parseArgs({ options: { long: { type: 'boolean' }, only: { type: 'string' } } });
const long = values.long ? { WIREBENCH_TEST_LONG: '1' } : {};

const none: Counts = { passed: 0, failed: 0, skipped: 0 };

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

/** What the browser tests need, found before they start. */
let browser: string | undefined;
let webSerial: NodeJS.ProcessEnv = {};
let oldBrowser: NodeJS.ProcessEnv | null = null;

/** A browser that cannot be had is no failure: what needs it is skipped, and said to be. */
function lacking(reason: string): Counts {
  console.error(`Skipped: ${reason}.`);
  return { passed: 0, failed: 0, skipped: 1 };
}

async function findBrowser(): Promise<Counts> {
  browser = await provideBrowser();
  return browser === undefined
    ? lacking('no Chromium could be found or installed: set CHROME to its path')
    : passedOnce;
}

async function findWebSerial(): Promise<Counts> {
  const found = prepareWebSerial();
  if ('missing' in found) {
    return lacking(found.missing);
  }
  webSerial = { WIREBENCH_WEB_SERIAL_LIBRARY: found.library };
  return passedOnce;
}

async function findOldBrowser(): Promise<Counts> {
  const found = await provideOldChromium();
  if ('missing' in found) {
    return lacking(found.missing);
  }
  oldBrowser = { ...found };
  return passedOnce;
}

async function endToEndTests(output?: Output): Promise<Counts> {
  return browser === undefined ? none : runPlaywright('playwright', { ...webSerial, CHROME: browser }, [], output);
}

async function oldBrowserTests(output?: Output): Promise<Counts> {
  const only = ['--project=old-browser'];
  return oldBrowser === null ? none : runPlaywright('playwright-old-browser', oldBrowser, only, output);
}

async function runPlaywright(
  report: string,
  env: NodeJS.ProcessEnv,
  more: readonly string[],
  output?: Output,
): Promise<Counts> {
  const file = join(reports, `${report}.json`);
  // Playwright tells its own processes whether there are colours, and Node warns of each that is told so twice.
  const plain = { NO_COLOR: undefined };
  const port = { WIREBENCH_E2E_PORT: String(await freePort()), PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...plain };
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...more];
  return countPlaywright(
    file,
    await runNode([bin('@playwright/test', 'cli.js'), ...args], { ...long, ...env, ...port }, output),
  );
}

const steps: readonly Step[] = [
  commandStep('Format and lint', 'lint', [bin('@biomejs/biome', 'bin/biome'), 'ci', '.']),
  commandStep('Structure', 'lint', ['scripts/check-structure.ts']),
  commandStep('Unused code', 'lint', [bin('knip', 'bin/knip.js')]),
  commandStep('Types', 'lint', ['scripts/typecheck.ts']),
  { name: 'PostgreSQL', group: 'unit', run: async () => providePostgres() },
  { name: 'S3', group: 'unit', run: async () => provideS3() },
  { name: 'Redis', group: 'unit', run: async () => provideRedis() },
  { name: 'Caddy', group: 'unit', run: async () => provideCaddy() },
  { name: 'esptool', group: 'unit', run: async () => provideEsptool() },
  { name: 'stm32flash', group: 'unit', run: async () => provideStm32flash() },
  { name: 'Compilers of the probe', group: 'unit', run: async () => provideProbeCompilers() },
  { name: 'Build', group: 'e2e', run: build },
  { name: 'Chromium', group: 'e2e', run: findBrowser },
  { name: 'Web Serial', group: 'e2e', run: findWebSerial },
  { name: 'Chromium 92', group: 'e2e', run: findOldBrowser },
];

/** Each of these waits half of its time for something: the two groups run side by side. */
const unitTests: readonly Step[] = [
  { name: 'Unit and integration tests', group: 'unit', run: (output) => runVitest('vitest', [], long, output) },
];
const browserTests: readonly Step[] = [
  { name: 'End-to-end tests', group: 'e2e', run: endToEndTests },
  { name: 'End-to-end tests in Chromium 92', group: 'e2e', run: oldBrowserTests },
];

keepTemporaryFilesInMemory();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results: (Counts & { readonly name: string; readonly seconds: number })[] = [];

async function runAll(all: readonly Step[], output?: Output): Promise<void> {
  for (const { name, group, run } of all) {
    if (values.only !== undefined && values.only !== group) {
      continue;
    }
    (output ?? atOnce)(`\n── ${name}\n`);
    const start = performance.now();
    const counts = await run(output);
    results.push({ name, ...counts, seconds: Math.round((performance.now() - start) / 1_000) });
  }
}

await runAll(steps);
if (values.only === undefined) {
  const behind = new HeldOutput();
  await Promise.all([runAll(unitTests).finally(() => behind.release()), runAll(browserTests, behind.write)]);
} else {
  await runAll([...unitTests, ...browserTests]);
}

console.log('');
console.table(Object.fromEntries(results.map(({ name, ...counts }) => [name, counts])));
const counts = sum(results);
console.log(countsText(counts));
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
