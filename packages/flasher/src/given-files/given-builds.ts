/**
 * Finds several builds among files of families whose files have addresses, or of which one is written at a time. Files
 * that would be written to the same addresses are alternatives.
 */
import { baseName } from '../core/base-name.ts';
import { alternativeFolders, folderOf, shortNames } from '../core/folders.ts';
import { groupedBy } from '../core/grouped-by.ts';
import type { FlashRange } from '../core/region.ts';
import type { GivenBuild, OpenedFile } from './given-files.ts';

interface Unit {
  readonly folder: string;
  /** Files of one name with different extensions: formats and parts of one program. */
  readonly files: readonly OpenedFile[];
  readonly ranges: readonly FlashRange[];
}

/** @param rangesOf Returns the addresses that a file is written to; none for a file that is not written. */
export function overlappingBuilds(
  files: readonly OpenedFile[],
  rangesOf: (file: OpenedFile) => readonly FlashRange[],
): readonly GivenBuild[] {
  const stems = groupedBy(files, ({ name }) => name.replace(/\.[^./\\]*$/, ''));
  const units = [...stems.values()].map(
    (own): Unit => ({
      folder: folderOf(own[0]?.name ?? ''),
      files: own,
      ranges: own.flatMap(rangesOf),
    }),
  );
  const groups = alternativeFolders(units, (some) =>
    some.some((one) => some.some((other) => one.folder !== other.folder && overlap(one, other))),
  );
  const builds = groups.flatMap(({ folder, files: own }) => {
    const alone = own.filter((one) =>
      own.some((other) => one !== other && one.folder === other.folder && overlap(one, other)),
    );
    const shared = own.filter((unit) => !alone.includes(unit));
    return alone.length < 2
      ? [{ name: folder, files: own.flatMap((unit) => unit.files) }]
      : alone.map((unit) => ({
          name: unit.files.find((file) => rangesOf(file).length > 0)?.name ?? folder,
          files: [...unit.files, ...shared.flatMap((one) => one.files)],
        }));
  });
  if (builds.length < 2) {
    return [];
  }
  const names = shortNames(builds.map(({ name }) => name));
  return builds.map((build, index) => ({ ...build, name: names[index] ?? baseName(build.name), chip: null }));
}

const overlap = (one: Unit, other: Unit) =>
  one.ranges.some((a) => other.ranges.some((b) => a.offset < b.offset + b.length && b.offset < a.offset + a.length));
