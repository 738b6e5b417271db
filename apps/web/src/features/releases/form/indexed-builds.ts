/** Builds as they are uploaded: each file once, named by its place among the files. */
import type { NewBuild } from '@wirebench/contract';
import type { PlacedBuild } from './build-drafts.ts';

export interface IndexedBuilds {
  readonly files: readonly File[];
  readonly builds: readonly NewBuild[];
}

/** Uploads a file of the same name and bytes once, although several builds have it. Rejects if one cannot be read. */
export async function indexedBuilds(builds: readonly Omit<PlacedBuild, 'elf'>[]): Promise<IndexedBuilds> {
  const files: File[] = [];
  const indexOf = async (file: File): Promise<number> => {
    for (const [index, other] of files.entries()) {
      if (await isSame(file, other)) {
        return index;
      }
    }
    return files.push(file) - 1;
  };
  const indexed: NewBuild[] = [];
  for (const { deviceModel, guards, files: placed } of builds) {
    const own: NewBuild['files'] = [];
    for (const { file, offset } of placed) {
      const index = await indexOf(file);
      own.push(offset.trim() === '' ? { index } : { index, offset: offset.trim() });
    }
    indexed.push({ deviceModel, guards, files: own });
  }
  return { files, builds: indexed };
}

async function isSame(one: File, other: File): Promise<boolean> {
  if (one === other) {
    return true;
  }
  if (one.name !== other.name || one.size !== other.size) {
    return false;
  }
  const [bytes, others] = await Promise.all([one.arrayBuffer(), other.arrayBuffer()]);
  const compared = new Uint8Array(others);
  return new Uint8Array(bytes).every((byte, index) => byte === compared[index]);
}
