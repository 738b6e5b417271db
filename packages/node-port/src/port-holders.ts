/** Programs that hold a port, by the lists of processes and locks of Linux. Other systems show none. */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** A process that has a port open. */
export interface PortHolder {
  readonly process: number;
  /** Name of the program. */
  readonly program: string;
}

const CONCURRENT = 32;

/**
 * Returns the process that has locked the port, as tio, picocom and this program do; null without one. The list of
 * locks shows those of all accounts.
 */
export async function lockHolder(path: string): Promise<number | null> {
  const [locks, port] = await Promise.all([
    readFile('/proc/locks', 'latin1').catch(() => ''),
    stat(path).catch(() => null),
  ]);
  if (port === null) {
    return null;
  }
  // `1: FLOCK  ADVISORY  WRITE 4711 00:06:1234 0 EOF`: process, then device and inode of the file.
  const end = `:${port.ino}`;
  for (const line of locks.split('\n')) {
    const [, kind, , , holder = '', file = ''] = line.trim().split(/\s+/);
    const [major, minor] = file.split(':').map((part) => Number.parseInt(part, 16));
    if (kind === 'FLOCK' && file.endsWith(end) && deviceNumber(major, minor) === port.dev) {
      return Number(holder);
    }
  }
  return null;
}

/** Number of a device as `stat` returns it (glibc, `makedev`), for numbers below 256 and 2^20. */
const deviceNumber = (major = 0, minor = 0) => (major << 8) | (minor & 0xff) | ((minor & ~0xff) << 12);

/** A descriptor of a port in a process. */
interface OpenDescriptor {
  readonly process: number;
  readonly descriptor: number;
}

/** Returns the descriptors of these ports in processes of this account, or of all for root, by path. */
export async function openDescriptors(
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly OpenDescriptor[]>> {
  const found = new Map<string, OpenDescriptor[]>();
  const real = new Map(
    await Promise.all(paths.map(async (path) => [await realpath(path).catch(() => path), path] as const)),
  );
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const waiting = processes.values();
  const look = async () => {
    for (const id of waiting) {
      const files = await readdir(`/proc/${id}/fd`).catch(() => []);
      const targets = await Promise.all(files.map((file) => readlink(`/proc/${id}/fd/${file}`).catch(() => '')));
      for (const [index, target] of targets.entries()) {
        const path = real.get(target);
        if (path !== undefined) {
          const descriptor = { process: Number(id), descriptor: Number(files[index]) };
          found.set(path, [...(found.get(path) ?? []), descriptor]);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, look));
  return found;
}

/**
 * Returns the processes that have these ports open, by path. Of a process of another account, it is known only that it
 * has locked a port. Empty where the system shows none.
 */
export async function portHolders(paths: readonly string[]): Promise<ReadonlyMap<string, readonly PortHolder[]>> {
  const open = await openDescriptors(paths);
  const entries = paths.map(async (path) => {
    const locker = await lockHolder(path);
    const ids = new Set([...(open.get(path) ?? []).map((one) => one.process), ...(locker === null ? [] : [locker])]);
    const holders = [...ids].map(async (id) => ({ process: id, program: await programOf(id) }));
    return [path, await Promise.all(holders)] as const;
  });
  return new Map((await Promise.all(entries)).filter(([, holders]) => holders.length > 0));
}

/** Returns the name of a program; of one that Node runs, the name of its script. */
async function programOf(process: number): Promise<string> {
  const read = (file: string) => readFile(`/proc/${process}/${file}`, 'utf8').catch(() => '');
  const name = (await read('comm')).trim();
  // Node 26 names its main thread `node-MainThread`.
  if (name !== 'node' && !name.startsWith('node-')) {
    return name;
  }
  const [, ...args] = (await read('cmdline')).split('\0');
  return basename(args.find((argument) => argument !== '' && !argument.startsWith('-')) ?? name);
}
