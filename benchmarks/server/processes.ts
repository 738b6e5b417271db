/** Servers in separate processes, so that the measuring code does not share their processor time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface MeasuredServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Returns the resident memory in bytes; undefined if the system does not report it. */
  residentBytes(): number | undefined;
  /** Returns the processor time of all threads in seconds; undefined if the system does not report it. */
  processorSeconds(): number | undefined;
}

const productMain = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const bareMain = fileURLToPath(new URL('./bare-server.ts', import.meta.url));

/** Starts the product with its defaults, but without the limit on writes. Its log goes to a file in `folder`. */
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

/** Starts Fastify with one route that returns the bytes of `file`. */
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

/** Returns the microseconds for each of `count` requests, from two values of `processorSeconds`. */
export function microsecondsEach(before: number | undefined, after: number | undefined, count: number) {
  return before === undefined || after === undefined ? undefined : ((after - before) / count) * 1e6;
}

/** Clock ticks a second of Linux's processor times (proc(5), `/proc/pid/stat`, `sysconf(_SC_CLK_TCK)`). */
const TICKS = 100;

function processorSeconds(pid: number): number | undefined {
  return statusOf(pid)?.seconds;
}

/** Returns the processor time of all child processes of `parent`. PostgreSQL starts one for each connection. */
export function processorSecondsOfChildren(parent: number): number | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((pid) => statusOf(Number(pid))).filter((status) => status?.parent === parent);
  return children.reduce((sum, status) => sum + (status?.seconds ?? 0), 0);
}

/** Returns the parent of `pid`. */
export function parentOf(pid: number): number | undefined {
  return statusOf(pid)?.parent;
}

/** Reads a process's status. Undefined if the system does not report it, or for an ended process. */
function statusOf(pid: number): { readonly parent: number; readonly seconds: number } | undefined {
  const file = `/proc/${pid}/stat`;
  if (process.platform !== 'linux' || !existsSync(file)) {
    return undefined;
  }
  // The name before the closing bracket may hold any character. Field 4 is the parent, fields 14 and 15 are user and
  // system time.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
}
