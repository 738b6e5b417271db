/** Two sets of files side by side: what was added, taken out, changed or moved, as from one version of a release to the next. */

export interface ReleaseFile {
  readonly fileName: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** `moved`: the same bytes at another address. `changed` may have moved too: the offsets tell. */
export type FileChange =
  | { readonly kind: 'same' | 'changed' | 'moved'; readonly before: ReleaseFile; readonly after: ReleaseFile }
  | { readonly kind: 'added'; readonly before: null; readonly after: ReleaseFile }
  | { readonly kind: 'removed'; readonly before: ReleaseFile; readonly after: null };

/**
 * In the order of addresses, those of the newer set where both have the file. A file is the same one when its place and name
 * are, else its place, else its name, else its contents: names carry versions, and places change with a partition table.
 */
export function compareReleases(before: readonly ReleaseFile[], after: readonly ReleaseFile[]): FileChange[] {
  const left = new Set(before);
  const pairs = new Map<ReleaseFile, ReleaseFile>();
  const isSame: readonly ((one: ReleaseFile, other: ReleaseFile) => boolean)[] = [
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
  const offsetOf = (change: FileChange) => (change.after ?? change.before).offset;
  return changes.sort((one, other) => offsetOf(one) - offsetOf(other));
}

function changeOf(older: ReleaseFile | undefined, newer: ReleaseFile): FileChange {
  if (older === undefined) {
    return { kind: 'added', before: null, after: newer };
  }
  const kind = older.sha256 !== newer.sha256 ? 'changed' : older.offset !== newer.offset ? 'moved' : 'same';
  return { kind, before: older, after: newer };
}
