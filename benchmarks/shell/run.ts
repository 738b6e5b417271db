/**
 * `npm run benchmark -- shell`: the packed program `wirebench` on pseudo-terminals of socat: its start, the way of a byte
 * from a port to the terminal beside tio, and four ports at 921,600 baud with a log.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PluggedTerminal } from '../../packages/node-port/src/testing/plugged-terminal.ts';
import { imageText } from '../flashing/image.ts';
import { requireQuietMachine } from '../quiet-machine.ts';
import { endWithout, orShortest } from '../shortest.ts';
import { measureFlash } from './flash-times.ts';

const machine = requireQuietMachine(['start', 'byte', 'four ports', 'flash']);
const STARTS = orShortest(10, 1);
const BYTES = orShortest(300, 3);
const SECONDS = orShortest(20, 1);
/** Bytes per second of a port at 921,600 baud, 8N1. */
const RATE = 92_160;
const PORTS = 4;

const hasProgram = (name: string) => spawnSync(name, ['--version']).error === undefined;
if (process.platform !== 'linux' || !hasProgram('socat')) {
  endWithout('socat on Linux is missing.');
}

const folder = mkdtempSync(join(tmpdir(), 'wirebench-shell-'));
const root = join(import.meta.dirname, '..', '..');
execFileSync(process.execPath, [join(root, 'scripts', 'pack.ts')], { stdio: 'ignore' });
const program = join(root, '.cache', 'wirebench', 'package', 'main.js');

const middle = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Milliseconds to wait for a program that starts on a busy machine. */
const LONGEST_START = 60_000;

/** Waits until a program has reached a state. Throws if it never does, so that no run waits without an end. */
async function until(reached: () => boolean, state: string, meanwhile: () => void = () => undefined): Promise<void> {
  for (const start = performance.now(); !reached(); await pause(50)) {
    if (performance.now() - start > LONGEST_START) {
      throw new Error(`${state} was not seen for ${LONGEST_START / 1_000} s.`);
    }
    meanwhile();
  }
}

/** Returns the time of `wirebench ports` from its start to its end, in milliseconds. */
function startTime(): number {
  const start = performance.now();
  spawnSync(process.execPath, [program, 'ports', '--json']);
  return performance.now() - start;
}

/** Returns the median time of a byte from the far end of a port to a terminal below `command`, in milliseconds. */
async function byteTime(command: (path: string) => string): Promise<number> {
  const port = await PluggedTerminal.plugged();
  const child = spawn('socat', ['STDIO', `EXEC:${command(port.path)},pty,stderr,setsid,ctty,raw,echo=0`]);
  let text = '';
  let arrived: () => void = () => undefined;
  child.stdout.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
    arrived();
  });
  // A program discards what came before it opened the port, and may say more after its first words.
  let marks = 0;
  const ready = () => text.includes(`mark ${marks}.`);
  await until(ready, `Output of ${command(port.path)}`, () => port.send(Buffer.from(`mark ${++marks}.`)));
  const times: number[] = [];
  for (let count = 0; count < BYTES; count++) {
    const start = performance.now();
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    port.send(Uint8Array.of(0x78));
    await arrival;
    times.push(performance.now() - start);
    await pause(10);
  }
  child.kill();
  await port.close();
  return middle(times);
}

/** Monitors four ports at full rate with a log. */
async function load(): Promise<{ readonly lost: number; readonly busy: number; readonly memory: number }> {
  const ports = await Promise.all(Array.from({ length: PORTS }, () => PluggedTerminal.plugged()));
  const log = join(folder, 'log.txt');
  const args = ['monitor', ...ports.map(({ path }) => path), '--log', log];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', openSync(join(folder, 'out'), 'w'), 'pipe'],
  });
  let notices = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    notices += text;
  });
  await until(() => notices.split(' connected (').length > PORTS, `The connection of ${PORTS} ports`);
  const seconds = () => {
    const [, , , , , , , , , , , user = '', system = ''] =
      readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(user) + Number(system)) / 100;
  };
  const before = seconds();
  const start = performance.now();
  const sent = ports.map(() => ({ bytes: 0, lines: 0 }));
  while (performance.now() - start < SECONDS * 1_000) {
    const due = (RATE * (performance.now() - start)) / 1_000;
    for (const [index, amount] of sent.entries()) {
      let text = '';
      while (amount.bytes + text.length < due) {
        text += `I (${amount.lines}) app: number ${amount.lines++} of port ${index}\n`;
      }
      amount.bytes += text.length;
      ports[index]?.send(Buffer.from(text));
    }
    await pause(5);
  }
  const busy = (seconds() - before) / SECONDS;
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;
  const logged = () => readFileSync(log, 'latin1').match(/ of port \d$/gm)?.length ?? 0;
  const all = sent.reduce((sum, { lines }) => sum + lines, 0);
  // A lost line never comes: the log is as long as it gets when it has not grown for a second.
  for (let previous = -1; logged() !== previous && previous < all; await pause(1_000)) {
    previous = logged();
  }
  child.kill('SIGINT');
  await once(child, 'exit');
  await Promise.all(ports.map((port) => port.close()));
  return { lost: all - logged(), busy, memory };
}

const rows: string[][] = [];
const add = (what: string, measured: string, target: string) => rows.push([what, measured, target]);
const starts = Array.from({ length: STARTS }, startTime);
add('wirebench ports, start to end', `${middle(starts).toFixed(0)} ms`, '≤ 400 ms');
add(
  'a byte, port to terminal',
  `${(await byteTime((path) => `${process.execPath} ${program} monitor ${path}`)).toFixed(2)} ms`,
  '≤ 5 ms',
);
if (hasProgram('tio')) {
  add('the same, tio', `${(await byteTime((path) => `tio --no-autoconnect ${path}`)).toFixed(2)} ms`, '');
}
const { lost, busy, memory } = await load();
add(`lines lost, ${PORTS} ports at 921,600 for ${SECONDS} s`, `${lost}`, '0');
add('share of a core', `${(busy * 100).toFixed(0)} %`, '≤ 25 %');
add('memory at most', `${memory.toFixed(0)} MB`, '≤ 150 MB');
const { wire, first, writing, again, esptool } = await measureFlash(program, folder);
const inSeconds = (time: number) => `${(time / 1_000).toFixed(2)} s`;
add(`flash ${imageText} at 921,600 baud, the whole process`, inSeconds(first), '');
add('the same, esptool', esptool === null ? 'not installed' : inSeconds(esptool), '');
add('share of the wire while it writes', `${((wire / writing) * 100).toFixed(0)} %`, '≥ 95 %');
add('the same command again, nothing changed', inSeconds(again), '≤ 1.5 s');
rmSync(folder, { recursive: true });

const head = ['what', 'measured', 'target'];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}`);
console.log(machine);
console.log([line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n'));
process.exit(0);
