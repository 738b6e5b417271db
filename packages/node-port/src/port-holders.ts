/** Programs that hold a port, by the process list of Linux. Other systems, and processes of other accounts, stay unknown. */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';

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

/** Returns the processes that have these ports open, by path. Empty where the system shows none. */
export async function portHolders(paths: readonly string[]): Promise<ReadonlyMap<string, readonly PortHolder[]>> {
  const found = new Map<string, PortHolder[]>();
  const real = new Map(
    await Promise.all(paths.map(async (path) => [await realpath(path).catch(() => path), path] as const)),
  );
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const waiting = processes.values();
  const look = async () => {
    for (const id of waiting) {
      const files = await readdir(`/proc/${id}/fd`).catch(() => []);
      const targets = await Promise.all(files.map((file) => readlink(`/proc/${id}/fd/${file}`).catch(() => '')));
      for (const path of new Set(targets.flatMap((target) => real.get(target) ?? []))) {
        const program = (await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')).trim();
        found.set(path, [...(found.get(path) ?? []), { process: Number(id), program }]);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, look));
  return found;
}
