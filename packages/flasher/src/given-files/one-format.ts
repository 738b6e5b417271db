/** Chooses among the formats of one program that a build leaves beside each other, and the address of a raw one. */
import { baseName, offsetByName } from '../core/base-name.ts';
import { groupedBy } from '../core/grouped-by.ts';
import { type LeftOut, type OpenedFile, pathOf } from './given-files.ts';

/**
 * Leaves out other formats of a program in the folder or archive of a build.
 *
 * @param built Files of builds that are written, one file a format.
 * @param order Extensions of the formats, the one that says most about the program first.
 * @param leftOut Receives the others, with the reason.
 */
export function withoutTwins(
  opened: readonly OpenedFile[],
  built: readonly OpenedFile[],
  order: readonly string[],
  leftOut: LeftOut[],
): readonly OpenedFile[] {
  const stems = groupedBy(built, (file) => pathOf(file).replace(/\.[^.]*$/, ''));
  const rank = ({ name }: OpenedFile) => {
    const place = order.indexOf(name.split('.').at(-1)?.toLowerCase() ?? '');
    return place < 0 ? order.length : place;
  };
  const twins = [...stems.values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((one, other) => rank(one) - rank(other));
    return others.map((file) => ({ file, why: `It is the same program as ${baseName(first?.name ?? '')} beside it.` }));
  });
  leftOut.push(...twins.map(({ file, why }) => ({ name: baseName(file.name), why })));
  return opened.filter((file) => !twins.some((twin) => twin.file === file));
}

/** Returns the address in the name of a file; null without one. A number below `flashStart` is no address. */
export function namedAddress(name: string, flashStart: number): number | null {
  const named = offsetByName(name);
  return named !== null && named >= flashStart ? named : null;
}
