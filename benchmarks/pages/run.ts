/**
 * `npm run benchmark -- pages [--runs 7]`: measures the pages. It prints the first content at a first visit beside
 * the target of one second, and a new user's time to a flashed and monitored demo board. It also prints the long
 * tasks of the flashers' main threads. A missed target is only shown, because the machine may be the cause.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, pagePaths, staticPages } from '@wirebench/contract';
import { requireQuietMachine } from '../quiet-machine.ts';
import { quantile, type Result, table } from '../serial/measure.ts';
import { isShortest, orShortest } from '../shortest.ts';
import { startProduct } from '../terminal/product.ts';
import { type FirstContent, firstContent } from './first-content.ts';
import { longestAllowed, whileFlashing, whileLooking } from './long-tasks.ts';
import { secondsPerClick, type Walk, walkToFlashedBoard } from './new-user.ts';

/** Milliseconds. */
const target = 1_000;
/** Seconds, from the home page to a flashed and monitored demo board. */
const walkTarget = 60;

const pages = {
  home: pagePaths.home,
  introduction: pagePaths.intro,
  terminal: pagePaths.uart,
  'Espressif flasher': staticPages.espFlasher,
  documentation: pagePaths.uartDocs,
  release: releasePath('version', demoReleaseId),
};

const machine = requireQuietMachine([...Object.keys(pages), 'new user', 'long tasks']);
const { values } = parseArgs({ options: { runs: { type: 'string', default: orShortest('7', '1') } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) {
  console.error('--runs must be a whole number of at least 1.');
  process.exit(2);
}

const milliseconds = (value: number) => `${Math.round(value)} ms`;

const product = await startProduct();
const results: Result[] = [];
try {
  const origin = new URL(product.terminal).origin;
  console.log(`Chromium ${product.browser.version()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`);
  for (const [name, path] of Object.entries(pages)) {
    console.error(`${name} …`);
    if (!isShortest) {
      // Warms the caches of server and system up; not counted.
      await firstContent(product.browser, `${origin}${path}`);
    }
    const seen: FirstContent[] = [];
    for (let run = 0; run < runs; run++) {
      seen.push(await firstContent(product.browser, `${origin}${path}`));
    }
    const median = (of: keyof FirstContent) =>
      quantile(
        seen.map((one) => one[of]),
        0.5,
      );
    results.push(
      {
        what: `${name}: first content`,
        measured: milliseconds(median('painted')),
        target: `< ${milliseconds(target)}`,
        reached: median('painted') < target,
      },
      { what: `${name}: its heading`, measured: milliseconds(median('heading')), target: '', reached: null },
    );
  }
  console.error('new user …');
  const walks: Walk[] = [];
  for (let run = 0; run < runs; run++) {
    walks.push(await walkToFlashedBoard(product.browser, origin));
  }
  const seconds = quantile(
    walks.map((walk) => walk.product),
    0.5,
  );
  const clicks = walks[0]?.clicks ?? 0;
  const withPerson = seconds + clicks * secondsPerClick;
  results.push(
    {
      what: 'new user, home to monitored board: the product',
      measured: `${seconds.toFixed(1)} s`,
      target: '',
      reached: null,
    },
    {
      what: `the same with ${secondsPerClick} s for each of ${clicks} clicks`,
      measured: `${withPerson.toFixed(0)} s`,
      target: `< ${walkTarget} s`,
      reached: withPerson < walkTarget,
    },
  );
  for (const { what, longTasks } of [
    ...(await whileFlashing(product.browser, origin)),
    await whileLooking(product.browser, origin),
  ]) {
    results.push({
      what: `longest task of the page: ${what}`,
      measured:
        longTasks.length === 0 ? `none over ${milliseconds(longestAllowed)}` : milliseconds(Math.max(...longTasks)),
      target: `< ${milliseconds(longestAllowed)}`,
      reached: longTasks.length === 0,
    });
  }
} finally {
  await product.stop();
}
console.log(`Median of ${runs} first visits; server and browser share this machine. ${machine}\n`);
console.log(table(results));
