/**
 * A file system of a few megabytes for one process: a tmpfs in a separate mount namespace. It needs no privileges if
 * the system allows user namespaces, and ends with the process.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const WITHOUT_RIGHTS = ['unshare', '--user', '--map-root-user', '--mount'];
const AS_ROOT = ['unshare', '--mount'];

/** The command that creates a namespace; undefined if the system allows none. */
const unshare = [WITHOUT_RIGHTS, AS_ROOT].find((command) => {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' }).status === 0;
});

export const hasSmallDisks = unshare !== undefined;

/** Returns arguments to put before a command. The command then has `megabytes` of space at `folder`, which is empty. */
export function onSmallDisk(folder: string, megabytes: number): readonly string[] {
  if (unshare === undefined) {
    throw new Error('This system makes no mount namespaces');
  }
  const script = 'mount -t tmpfs -o size="$1",mode=0700 tmpfs "$0" && shift && exec "$@"';
  return [...unshare, 'sh', '-c', script, folder, `${megabytes}m`];
}

/** Returns the path, from outside the namespace, that process `pid` sees as `path`. */
export function asSeenBy(pid: number, path: string): string {
  return join('/proc', String(pid), 'root', path);
}
