/** Finds the lists among dropped files and selects the one to follow. */

import { givenText } from '@wirebench/port/given-text';
import { baseName } from '../../core/base-name.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import type { ExpandedFile } from './expand-files.ts';
import { type FileList, listKindOf, readCommandFile, readFileLists } from './file-list.ts';
import { matchListed } from './match-listed.ts';
import type { DroppedFile, Report } from './placement.ts';

export interface FoundList {
  readonly file: DroppedFile;
  readonly list: FileList;
}

/**
 * Separates the lists from the other files. A command line counts if a file that it names is there; one of which a file is
 * missing counts only without another list.
 */
export function separateLists(
  files: readonly ExpandedFile[],
  report: Report,
): { lists: FoundList[]; rest: ExpandedFile[] } {
  const lists: FoundList[] = [];
  const rest: ExpandedFile[] = [];
  const partial: { found: FoundList; file: ExpandedFile; missing: number }[] = [];
  for (const file of files) {
    const kind = listKindOf(file.name);
    if (kind === null) {
      const command = readCommandFile(file.name, file.bytes);
      const missing = matchListed(command?.files ?? [], files).filter(
        ({ file: found, rivals }) => found === null && rivals.length === 0,
      ).length;
      if (command === null || (missing > 0 && missing === command.files.length)) {
        rest.push(file);
      } else if (missing === 0) {
        lists.push({ file, list: command });
      } else {
        partial.push({ found: { file, list: command }, file, missing });
      }
      continue;
    }
    try {
      lists.push(...readFileLists(file.name, file.bytes).map((list) => ({ file, list })));
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      // Many unrelated files are called manifest.json. Only the other names guarantee a list, and text with builds.
      const isList = kind !== 'manifest-perhaps' || (error.code === 'not-json' && namesBuilds(file.bytes));
      if (!isList) {
        rest.push(file);
      } else {
        report('list-unreadable', [baseName(file.name)], error.message);
      }
    }
  }
  const [best, ...others] = partial.toSorted((one, other) => one.missing - other.missing);
  if (best !== undefined && lists.length === 0) {
    lists.push(best.found);
  } else if (best !== undefined) {
    others.push(best);
  }
  rest.push(...others.map(({ file }) => file));
  return { lists, rest };
}

const namesBuilds = (bytes: Uint8Array): boolean => /["']?builds["']?\s*:/.test(givenText(bytes));

/** Number of a list's faults that are reported separately. */
const MAX_NAMED_FAULTS = 8;

/** Reports the unusable parts of a list. */
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

/** Returns the best list; for a manifest, the build for the chip. Null if there is no such list. */
export function listToFollow(lists: readonly FoundList[], chip: ChipName | null, report: Report): FoundList | null {
  const rank = ({ list }: FoundList) => preference.indexOf(list.kind);
  const [best, ...others] = [...lists].sort((one, other) => rank(one) - rank(other));
  if (best === undefined) {
    return null;
  }
  const all = [best, ...others.filter(({ file }) => file === best.file)];
  const usable = all.filter(({ list }) => (list.spoilt ?? null) === null);
  const builds = usable.length > 0 ? usable : all;
  const fitting = builds.length === 1 ? builds[0] : builds.find(({ list }) => chip !== null && list.chip === chip);
  if (fitting === undefined) {
    report('no-build-for-chip', [baseName(best.file.name)], chip === null ? '' : chipFacts[chip].label);
  }
  return fitting ?? null;
}
