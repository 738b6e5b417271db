/**
 * What a shared bench costs without a network and without a server: `npm run benchmark:remote`. The relay is in the same process and adds 40 ms
 * of round trip. A key press and a byte run in real time, with WebCrypto; flashing runs in virtual time, where the wire, the chip and
 * the protocol count and no machine's speed. `-- --only keys` or `-- --only flash` for one of them.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requireQuietMachine } from '../quiet-machine.ts';
import { flashRows } from './flash.ts';
import { keyRows } from './keys.ts';

const machine = requireQuietMachine();
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const rows: string[][] = [];
if (values.only === undefined || values.only === 'keys') {
  rows.push(...(await keyRows()));
}
if (values.only === undefined || values.only === 'flash') {
  rows.push(...(await flashRows()));
}
const head = ['what', 'measured', 'target', ''];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, 40 ms round trip`);
console.log(machine);
console.log([line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
process.exit(0);
