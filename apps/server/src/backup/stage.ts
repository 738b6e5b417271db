/**
 * A temporary folder inside the data folder where a backup is collected or unpacked. It is on the same file system,
 * so files can be moved and linked. It is removed afterwards.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface Stage extends AsyncDisposable {
  readonly path: string;
}

const PREFIX = '.backup-';
/** Milliseconds after which a stage is considered left behind by a killed process. */
const ABANDONED_AFTER = 24 * 3_600_000;

/**
 * Opens a stage and removes abandoned ones first.
 *
 * @param now Milliseconds since the Unix epoch.
 */
export async function openStage(dataDir: string, now: number): Promise<Stage> {
  for (const name of (await readdir(dataDir)).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(dataDir, name);
    if ((await stat(path)).mtimeMs < now - ABANDONED_AFTER) {
      await remove(path);
    }
  }
  const path = await mkdtemp(join(dataDir, PREFIX));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
