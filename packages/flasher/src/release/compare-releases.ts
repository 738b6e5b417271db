/**
 * Compares the files of two versions of a release: added, removed, changed, moved or renamed. A separate entry,
 * `@wirebench/flasher/compare`, so that a page that only compares loads nothing else.
 */

export interface ReleaseFile {
  readonly fileName: string;
  /** Flash address in bytes. */
  readonly offset: number;
  /** Size in bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * `moved`: the same bytes at another address. `renamed`: the same bytes at the same address. A changed or moved file
 * may have a new name as well; compare the names.
 */
export type FileChange<File extends ReleaseFile = ReleaseFile> =
  | { readonly kind: 'same' | 'changed' | 'moved' | 'renamed'; readonly before: File; readonly after: File }
  | { readonly kind: 'added'; readonly before: null; readonly after: File }
  | { readonly kind: 'removed'; readonly before: File; readonly after: null };

/**
 * Pairs the files of both sets. Files match by address and name, else by address, else by name, else by contents:
 * names contain versions, and addresses change with a partition table.
 *
 * @returns changes in the order of addresses, using the newer address of files in both sets.
 */
export function compareReleases<File extends ReleaseFile>(
  before: readonly File[],
  after: readonly File[],
): FileChange<File>[] {
  const left = new Set(before);
  const pairs = new Map<File, File>();
  const isSame: readonly ((one: File, other: File) => boolean)[] = [
    (one, other) => one.offset === other.offset && one.fileName === other.fileName,
    (one, other) => one.offset === other.offset,
    (one, other) => one.fileName === other.fileName,
    (one, other) => one.sha256 === other.sha256,
  ];
  for (const matches of isSame) {
    for (const newer of after) {
      const older = pairs.has(newer) ? undefined : [...left].find((file) => matches(file, newer));
      if (older !== undefined) {
        pairs.set(newer, older);
        left.delete(older);
      }
    }
  }
  const changes = [
    ...after.map((newer) => changeOf(pairs.get(newer), newer)),
    ...[...left].map((older) => ({ kind: 'removed', before: older, after: null }) as const),
  ];
  const offsetOf = ({ before: older, after: newer }: FileChange<File>) => (newer ?? older)?.offset ?? 0;
  return changes.sort((one, other) => offsetOf(one) - offsetOf(other));
}

function changeOf<File extends ReleaseFile>(older: File | undefined, newer: File): FileChange<File> {
  if (older === undefined) {
    return { kind: 'added', before: null, after: newer };
  }
  const unchanged = older.fileName === newer.fileName ? 'same' : 'renamed';
  const kind = older.sha256 !== newer.sha256 ? 'changed' : older.offset !== newer.offset ? 'moved' : unchanged;
  return { kind, before: older, after: newer };
}
