/**
 * `npm run benchmark -- remote`: the cost of a shared bench without network and server. The relay runs in the same
 * process and adds 40 ms of round trip. Key presses and bytes run in real time, with WebCrypto. Flashing runs in
 * virtual time: only the wire, the chip and the protocol count, and not the machine's speed. `-- --only keys` or `--
 * --only flash` selects one.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { flashRows } from './flash.ts';
import { keyRows } from './keys.ts';

const parts = { keys: keyRows, flash: flashRows };

const machine = requireQuietMachine(Object.keys(parts));
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const rows: string[][] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (values.only === undefined || values.only === name) {
    rows.push(...(await measure()));
  }
}
const head = ['what', 'measured', 'target', ''];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, 40 ms round trip`);
console.log(machine);
console.log([line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
process.exit(0);
