/**
 * A file system of a few megabytes for one process: a tmpfs in a mount namespace of its own, which needs no rights where the
 * system lets people make user namespaces, and goes with its process.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const WITHOUT_RIGHTS = ['unshare', '--user', '--map-root-user', '--mount'];
const AS_ROOT = ['unshare', '--mount'];

/** The program that a namespace is made with, or null where none can be made. */
const unshare = [WITHOUT_RIGHTS, AS_ROOT].find((command) => {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' }).status === 0;
});

export const hasSmallDisks = unshare !== undefined;

/** Arguments to put before a command, which then finds `megabytes` of room at `folder` and nothing else there. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  if (unshare === undefined) {
    throw new Error('This system makes no mount namespaces');
  }
  const script = 'mount -t tmpfs -o size="$1",mode=0700 tmpfs "$0" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, folder, `${megabytes}m`];
}

/** Where a process with the id `pid` sees `path`, for who looks from outside. */
export function asSeenBy(pid: number, path: string): string {
  return join('/proc', String(pid), 'root', path);
}
