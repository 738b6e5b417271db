/** Servers in processes of their own, so that what measures them takes nothing of their processor time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface MeasuredServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Bytes of its memory that are in RAM now; undefined where the system does not say. */
  residentBytes(): number | undefined;
  /** Seconds of processor time of all its threads so far; undefined where the system does not say. */
  processorSeconds(): number | undefined;
}

const productMain = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const bareMain = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** The product with its defaults, but for the limit on writes; its log goes to a file in `folder`. */
export function startProduct(folder: string, environment: Readonly<Record<string, string>>): Promise<MeasuredServer> {
  return start([productMain], folder, {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    LIMIT_VERSIONS: '10000',
    ...environment,
  });
}

/** Fastify with one route that answers the bytes of `file`. */
export function startBare(folder: string, file: string): Promise<MeasuredServer> {
  return start([bareMain, file], folder, {});
}

async function start(args: readonly string[], folder: string, environment: Readonly<Record<string, string>>) {
  const logFile = join(folder, 'log.txt');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const gone = once(child, 'close');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const address = await addressOf(child, logFile);
  return {
    address,
    port: Number(new URL(address).port),
    residentBytes: () => residentBytes(child.pid ?? 0),
    processorSeconds: () => processorSeconds(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      process.off('exit', end);
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function addressOf(child: ChildProcess, logFile: string): Promise<string> {
  for (;;) {
    const address = /ready: (\S+)\n/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (address !== undefined) {
      return address;
    }
    if (child.exitCode !== null) {
      throw new Error(`A server ended before it was ready: ${readFileSync(logFile, 'utf8')}`);
    }
    await sleep(20);
  }
}

function residentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1_024;
}

/** What each of `count` took, from `processorSeconds` before and after them. */
export function microsecondsEach(before: number | undefined, after: number | undefined, count: number) {
  return before === undefined || after === undefined ? undefined : ((after - before) / count) * 1e6;
}

/** Ticks of the clock by which Linux counts processor time for programs (proc(5), `/proc/pid/stat`, `sysconf(_SC_CLK_TCK)`). */
const TICKS = 100;

function processorSeconds(pid: number): number | undefined {
  return statusOf(pid)?.seconds;
}

/** The same of all processes that `parent` has started, as PostgreSQL does for each connection. */
export function processorSecondsOfChildren(parent: number): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((pid) => statusOf(Number(pid))).filter((status) => status?.parent === parent);
  return children.reduce((sum, status) => sum + (status?.seconds ?? 0), 0);
}

/** The process that started `pid`. */
export function parentOf(pid: number): number | undefined {
  return statusOf(pid)?.parent;
}

/** Undefined where the system does not say, and for a process that has ended. */
function statusOf(pid: number): { readonly parent: number; readonly seconds: number } | undefined {
  const file = `/proc/${pid}/stat`;
  if (process.platform !== 'linux' || !existsSync(file)) {
    return undefined;
  }
  // The name before the closing bracket may hold anything; the parent is field 4, time in the program and in the system 14 and 15.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
}
