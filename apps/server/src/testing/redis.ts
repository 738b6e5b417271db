/**
 * A Redis of the test's own: on a loopback port, with nothing on the disk, ended by its process id. Debian's `redis-server`, or
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
  /** Ends it as a power cut does; everything in it is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  hang(): void;
  /** Goes on after it hung. */
  wake(): void;
  /** What `KEYS *` answers, line by line. */
  keys(): Promise<readonly string[]>;
  /** What a command answers, line by line, over a connection of its own. */
  command(command: string): Promise<readonly string[]>;
}

const PROGRAMS = ['redis-server', 'valkey-server'];

/** Path of the program; null where there is none. */
export function findRedis(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = PROGRAMS.flatMap((program) => [...folders, '/usr/bin'].map((folder) => join(folder, program)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Throws when there is no program, or when it does not answer. */
export async function startRedis(): Promise<TestRedis> {
  const program = findRedis();
  if (program === null) {
    throw new Error('Redis is not installed here');
  }
  const folder = await temporaryFolder();
  const port = await freePort();
  let child = await launch(program, port, folder.path);
  // A test run that is cut off must not leave it behind.
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

/** One command over a connection of its own; the lines of the reply. */
async function askFor(port: number, command: string): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').end(`${command}\r\nQUIT\r\n`);
  let reply = '';
  for await (const chunk of socket) {
    reply += chunk;
  }
  return reply.split('\r\n');
}
