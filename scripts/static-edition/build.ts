/** Builds the files of the static edition into a folder, with the firmware that it offers. */
import { existsSync, readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runVite } from '../build/web.ts';
import { type StaticBuild, StaticBuildError } from './arguments.ts';
import { addReleases, type ListedRelease, readReleases } from './releases.ts';

export interface BuiltEdition {
  readonly files: number;
  readonly bytes: number;
  readonly releases: readonly ListedRelease[];
}

/**
 * Builds the edition. Files of an earlier edition in the same folder are replaced.
 *
 * @throws StaticBuildError if the folder holds something else, or if a release cannot be offered.
 */
export async function buildStatic({ base, out, releases: from }: StaticBuild): Promise<BuiltEdition> {
  if (existsSync(out) && !isReplaceable(out)) {
    throw new StaticBuildError(`${out} is not empty and holds no static edition: empty it, or name another folder.`);
  }
  const found = from === null ? [] : await readReleases(from);
  await runVite(['--mode', 'static', '--base', base, '--outDir', out, '--emptyOutDir']);
  const releases = await addReleases(from, found, out);
  return { ...(await sizeOf(out)), releases };
}

/** Building empties the folder, which must not cost anybody their files. */
function isReplaceable(folder: string): boolean {
  const names = readdirSync(folder);
  return names.length === 0 || ['sw.js', 'esp_flasher.html', 'releases.json'].every((name) => names.includes(name));
}

async function sizeOf(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
