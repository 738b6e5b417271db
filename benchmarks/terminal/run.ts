/**
 * `npm run benchmark -- terminal [--seconds 60] [-- --only four]`: measures the terminal in a real browser and prints
 * the figures beside the targets. Exit code 1 if bytes were lost or a scenario could not run. A missed target is only
 * shown, because the machine may be the cause.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { type Result, table } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import { startProduct } from './product.ts';
import { scenarios } from './scenarios.ts';

const machine = requireQuietMachine(Object.keys(scenarios));
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: orShortest('60', '1') }, only: { type: 'string', default: '' } },
});
const seconds = Number(values.seconds);
const chosen = Object.entries(scenarios).filter(([name]) => name.includes(values.only));
if (!Number.isInteger(seconds) || seconds < 1 || chosen.length === 0) {
  console.error(
    `--seconds must be a whole number, and --only must match one of: ${Object.keys(scenarios).join(', ')}.`,
  );
  process.exit(2);
}

const product = await startProduct();
const results: Result[] = [];
let failed = false;
try {
  console.log(`Chromium ${product.browser.version()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`);
  for (const [name, scenario] of chosen) {
    console.log(`${name} …`);
    try {
      results.push(...(await scenario(product, seconds)));
    } catch (error) {
      failed = true;
      console.error(`${name} could not run: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
} finally {
  await product.stop();
}
console.log(`${machine}\n\n${table(results)}`);
const lost = results.some(({ target, reached }) => target === '0 bytes lost' && reached === false);
process.exit(failed || lost ? 1 : 0);
