/** Runs a benchmark in its shortest form, for the tests that start every benchmark and look for its table. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../build/web.ts';

/** Milliseconds after which a run is ended with all its processes. Sufficient on a busy machine. */
const LIMIT = 400_000;
/** Exit code of a benchmark that lacks a program to measure with (`benchmarks/shortest.ts`). */
const MISSING = 4;

/** All scenarios of the terminal, each in a run of its own. */
const terminalScenarios = [
  'first-use',
  'open-log',
  'four-ports',
  'rules',
  'screens',
  'one-fast',
  'many-lines',
  'plot',
  'peers',
] as const;

/** Command lines of the shortest runs. Together they name every area; those in `browser` need a browser and the build. */
export const shortestRuns = {
  node: [
    'avr',
    'flashing --only wirebench,esptool,nrf,stm',
    'frames',
    'lab --only click,bridge',
    'remote',
    'serial',
    'server --only read',
    'shell',
    'symbols --only lookup',
    'symbols --only dump',
  ],
  browser: [
    'flashing --only save',
    'lab --only page',
    'pages',
    'symbols --only page',
    ...terminalScenarios.map((name) => `terminal --only ${name}`),
  ],
} as const;

export interface ShortestRun {
  readonly code: number;
  /** Names the programs that this benchmark lacks here; null if it has all of them. */
  readonly missing: string | null;
  /** Everything that the run has printed. */
  readonly output: string;
  /** Cells of the heads, one list for each table. */
  readonly heads: readonly (readonly string[])[];
  /** Cells of the rows of all tables. */
  readonly rows: readonly (readonly string[])[];
}

export async function runShortest(command: string): Promise<ShortestRun> {
  const args = [join(root, 'benchmarks', 'run.ts'), ...command.split(' '), '--busy', '--shortest'];
  // A process group of its own, so that the limit also ends the servers and browsers of the benchmark.
  const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, complained]: string[][] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed?.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => complained?.push(text));
  const end = () => {
    try {
      process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  };
  const limit = setTimeout(end, LIMIT);
  process.once('exit', end);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  process.off('exit', end);
  const [stdout, stderr] = [(printed ?? []).join(''), (complained ?? []).join('')];
  const lines = stdout.split('\n');
  const isRule = (line: string | undefined) => line !== undefined && /^\|[-|]+\|$/.test(line);
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
  return {
    code: code ?? 1,
    missing: code === MISSING ? stderr.trim() : null,
    output: `${stdout}\n${stderr}`,
    heads: lines.filter((_, index) => isRule(lines[index + 1])).map(cells),
    rows: lines.filter((line, index) => line.startsWith('| ') && !isRule(lines[index + 1])).map(cells),
  };
}
