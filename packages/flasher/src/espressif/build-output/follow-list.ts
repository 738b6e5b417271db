/** Finds the lists among dropped files and chooses the one to follow. */

import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import type { ExpandedFile } from './expand-files.ts';
import { type FileList, listKindOf, readFileLists } from './file-list.ts';
import { baseName } from './file-name.ts';
import type { DroppedFile, Report } from './placement.ts';

export interface FoundList {
  readonly file: DroppedFile;
  readonly list: FileList;
}

export function separateLists(
  files: readonly ExpandedFile[],
  report: Report,
): { lists: FoundList[]; rest: ExpandedFile[] } {
  const lists: FoundList[] = [];
  const rest: ExpandedFile[] = [];
  for (const file of files) {
    const kind = listKindOf(file.name);
    if (kind === null) {
      rest.push(file);
      continue;
    }
    try {
      lists.push(...readFileLists(file.name, file.bytes).map((list) => ({ file, list })));
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      // Many things are called manifest.json; only the others promise what they are.
      if (kind === 'manifest-perhaps') {
        rest.push(file);
      } else {
        report('list-unreadable', [baseName(file.name)], error.message);
      }
    }
  }
  return { lists, rest };
}

/** Faults of a list that are named one by one. */
const MAX_NAMED_FAULTS = 8;

/** Says what of a list cannot be used. */
export function reportFaults({ file, list: { faults } }: FoundList, report: Report): void {
  const list = baseName(file.name);
  for (const { path, offset, part } of faults.slice(0, MAX_NAMED_FAULTS)) {
    if (path === null) {
      report('listed-path', [list], offset === null ? `of part ${part}` : `at ${offset}`);
    } else {
      report('listed-offset', [baseName(path), list], offset ?? '');
    }
  }
  if (faults.length > MAX_NAMED_FAULTS) {
    report('listed-more', [list], String(faults.length - MAX_NAMED_FAULTS));
  }
}

const preference = ['flasher-args', 'platformio', 'flash-args', 'web-tools'];

/** The best list; of a manifest, the build for the chip. */
export function listToFollow(lists: readonly FoundList[], chip: ChipName | null, report: Report): FoundList | null {
  const rank = ({ list }: FoundList) => preference.indexOf(list.kind);
  const [best, ...others] = [...lists].sort((one, other) => rank(one) - rank(other));
  if (best === undefined) {
    return null;
  }
  const builds = [best, ...others.filter(({ file }) => file === best.file)];
  const fitting = builds.length === 1 ? best : builds.find(({ list }) => chip !== null && list.chip === chip);
  if (fitting === undefined) {
    report('no-build-for-chip', [baseName(best.file.name)], chip === null ? '' : chipFacts[chip].label);
  }
  return fitting ?? null;
}
