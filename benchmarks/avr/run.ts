/**
 * `npm run benchmark -- avr`: writes a sketch of 30 KB to genuine bootloaders in simavr with two clients, one after the
 * other, in real time. Prints the time from opening the port to closing it, for the first write and for a second one
 * with nothing changed. `-- --runs 1` is a quick look.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type GenuineBoardName,
  genuineBoards,
  provideSimavrBoard,
  SimavrTerminal,
  sketch,
} from '@wirebench/flasher/testing/genuine-avr';
import { requireQuietMachine } from '../quiet-machine.ts';
import { endWithout, isShortest, orShortest } from '../shortest.ts';
import { avrdude, type Client, ours, type SketchFile } from './clients.ts';

const SKETCH_BYTES = orShortest(30_720, 1_024);
/** Target: a second write with nothing changed takes less than this share of the first. */
const SHARE = 0.2;

const boards = {
  uno: 'Uno: optiboot',
  oldNano: 'old Nano: ATmegaBOOT',
  mega: 'Mega 2560: stk500boot_v2',
} as const satisfies Partial<Record<GenuineBoardName, string>>;

/** Milliseconds. */
interface Measurement {
  readonly first: number;
  readonly again: number;
}

const machine = requireQuietMachine(Object.values(boards));
const { values } = parseArgs({ options: { runs: { type: 'string' } } });
const runs = Number(values.runs ?? orShortest(3, 1));
const board = provideSimavrBoard();
if ('missing' in board) {
  endWithout(`${board.missing}.`);
}
const { program } = board;
const hasAvrdude = spawnSync('avrdude', ['-?']).error === undefined;
const clients = hasAvrdude ? [ours, avrdude] : [ours];
if (!hasAvrdude) {
  console.error('avrdude is not installed: measured without it.');
}

async function measure(client: Client, name: keyof typeof boards, file: SketchFile): Promise<Measurement> {
  const terminal = await SimavrTerminal.start(program, name);
  try {
    const first = await timed(client, name, terminal, file);
    return { first, again: await timed(client, name, terminal, file) };
  } finally {
    await terminal.end();
  }
}

/** The shortest run, which measures nothing, goes on when a busy machine simulates the board too slowly to be found. */
async function flash(client: Client, name: GenuineBoardName, terminal: SimavrTerminal, file: SketchFile) {
  for (let attempt = 1; isShortest && attempt < 5; attempt++) {
    try {
      return await client.flash(name, terminal, file);
    } catch (error) {
      console.error(`${client.name}, attempt ${attempt}: ${error}`);
    }
  }
  return client.flash(name, terminal, file);
}

async function timed(client: Client, name: GenuineBoardName, terminal: SimavrTerminal, file: SketchFile) {
  const start = performance.now();
  await flash(client, name, terminal, file);
  const time = performance.now() - start;
  if (
    !Buffer.from(await terminal.flash())
      .subarray(0, SKETCH_BYTES)
      .equals(file.bytes)
  ) {
    throw new Error(`${client.name}: the flash does not contain the sketch.`);
  }
  return time;
}

const median = (times: readonly number[]) => times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;

const folder = mkdtempSync(join(tmpdir(), 'wirebench-avr-'));
const file: SketchFile = { path: join(folder, 'sketch.bin'), bytes: sketch(SKETCH_BYTES) };
writeFileSync(file.path, file.bytes);
const rows: string[][] = [];
try {
  for (const name of isShortest ? (['uno'] as const) : (Object.keys(boards) as (keyof typeof boards)[])) {
    const measured = { [ours.name]: [] as Measurement[], [avrdude.name]: [] as Measurement[] };
    for (let run = 0; run < runs; run++) {
      for (const client of clients) {
        measured[client.name]?.push(await measure(client, name, file));
      }
    }
    for (const client of clients) {
      const found = measured[client.name] ?? [];
      const [first, again] = [median(found.map((one) => one.first)), median(found.map((one) => one.again))];
      const share = again / first;
      rows.push([
        `${boards[name]}, ${genuineBoards[name].baudRate.toLocaleString('en')} baud`,
        client.name,
        seconds(first),
        seconds(again),
        `${(share * 100).toFixed(0)} %`,
        client === ours ? `< ${SHARE * 100} %` : '',
        client === ours ? (share < SHARE ? 'reached' : 'MISSED') : '',
      ]);
      console.error(rows.at(-1)?.join(' · '));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const head = ['board', 'client', 'write and verify', 'again, nothing changed', 'share', 'target', ''];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, median of ${runs}`);
console.log(machine);
console.log([line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
process.exit(0);
