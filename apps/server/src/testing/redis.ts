/**
 * A Redis for tests: on a loopback port, without files, ended by its process id. It uses Debian's `redis-server`, or
 * `valkey-server`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** Ends it like a power cut. All data is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** Makes it keep its connections but answer nothing. */
  hang(): void;
  /** Ends the hang. */
  wake(): void;
  /** Returns the lines of the answer to `KEYS *`. */
  keys(): Promise<readonly string[]>;
  /** Returns the lines of the answer to a command, over a new connection. */
  command(command: string): Promise<readonly string[]>;
}

const PROGRAMS = ['redis-server', 'valkey-server'];

/** Returns the path of the program; null if it is not installed. */
export function findRedis(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = PROGRAMS.flatMap((program) => [...folders, '/usr/bin'].map((folder) => join(folder, program)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts a Redis.
 *
 * @throws Error if the program is missing or does not answer.
 */
export async function startRedis(): Promise<TestRedis> {
  const program = findRedis();
  if (program === null) {
    throw new Error('Redis is not installed here');
  }
  const folder = await temporaryFolder();
  const port = await freePort();
  let child = await launch(program, port, folder.path);
  // An aborted test run must not leave the process behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start: async () => {
      child = await launch(program, port, folder.path);
    },
    hang: () => {
      child.kill('SIGSTOP');
    },
    wake: () => {
      child.kill('SIGCONT');
    },
    keys: () => askFor(port, 'KEYS *'),
    command: (command) => askFor(port, command),
    [Symbol.asyncDispose]: async () => {
      process.off('exit', end);
      await kill();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function launch(program: string, port: number, folder: string): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(program, settings, { stdio: 'ignore' });
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) {
      throw new Error(`Redis ended with ${child.exitCode}`);
    }
    const reply: readonly string[] = await askFor(port, 'PING').catch(() => []);
    if (reply.includes('+PONG')) {
      return child;
    }
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error('Redis does not answer');
}

/** Sends one command over a new connection. Returns the lines of the reply. */
async function askFor(port: number, command: string): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').end(`${command}\r\nQUIT\r\n`);
  let reply = '';
  for await (const chunk of socket) {
    reply += chunk;
  }
  return reply.split('\r\n');
}
