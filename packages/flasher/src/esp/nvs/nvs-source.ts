/** Keys from elsewhere: a CSV file, an image of an NVS partition, or a backup of a board. */
import { givenText, intactText } from '@wirebench/port/given-text';
import { counted } from '@wirebench/port/numbers';
import { baseName } from '../../core/base-name.ts';
import { sizeText } from '../../core/bytes.ts';
import { readNestedZip, startsLikeZip } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import { BackupError, type BackupSet, readBackupSet } from '../backup/index.ts';
import { findTableIn } from '../images/partition-table.ts';
import { isNvs, subtypeName } from '../images/partition-types.ts';
import { readNvsCsv, type SourceFile } from './nvs-csv.ts';
import { NvsError, nvsFailureText } from './nvs-failure.ts';
import { isSameValue, type NvsValue } from './nvs-value.ts';
import { type LiveNvsEntry, liveEntries, type NvsStore, readNvs } from './read-nvs.ts';

export type SourceKey = Pick<LiveNvsEntry, 'namespace' | 'key' | 'value'>;

export interface NvsSource {
  /** File name, or the time of an earlier read. */
  readonly name: string;
  /** `Partition image of 24 KB, 27 keys in 3 namespaces`. */
  readonly what: string;
  readonly keys: readonly SourceKey[];
  /** Rows of a CSV that cannot be read, with their lines. They contain no value. */
  readonly faults: readonly string[];
  /** Reason why the file holds no keys to take, with a remedy; null if it was read. */
  readonly refusal: string | null;
}

/**
 * Reads a CSV or an image.
 *
 * @param files The CSV or the image, and files that rows of the CSV name.
 * @param partition Name of the partition to look for in a backup of the whole flash.
 */
export async function readNvsSource(files: readonly SourceFile[], partition: string): Promise<NvsSource> {
  const file = files.find(({ name }) => /\.csv$/i.test(name)) ?? files[0];
  if (file === undefined) {
    return refusedSource('', 'No file was given. Choose a CSV or the image of an NVS partition.');
  }
  const { bytes } = file;
  const name = baseName(file.name);
  try {
    return startsLikeZip(bytes)
      ? backupSource(name, await readBackupSet(readNestedZip(bytes)), partition)
      : isCsv(name, bytes)
        ? csvSource(name, bytes, files)
        : imageSource(name, bytes, partition);
  } catch (error) {
    if (error instanceof BackupError || error instanceof ImageError) {
      return refusedSource(name, error.message);
    }
    throw error;
  }
}

/** Returns what an earlier read of the partition held. */
export function storeSource(name: string, what: string, store: NvsStore): NvsSource {
  return { name, what, keys: liveEntries(store), faults: [], refusal: null };
}

/** Returns a source without keys, for a file that cannot be read. */
export function refusedSource(name: string, refusal: string): NvsSource {
  return { name, what: '', keys: [], faults: [], refusal };
}

function isCsv(name: string, bytes: Uint8Array): boolean {
  const start = givenText(bytes.subarray(0, 64));
  return /\.csv$/i.test(name) || /^\s*(#|key\s*,)/i.test(start);
}

function csvSource(name: string, bytes: Uint8Array, files: readonly SourceFile[]): NvsSource {
  const text = intactText(bytes);
  if (text === null) {
    return refusedSource(name, 'The CSV is not UTF-8 text. Save it again with this encoding.');
  }
  try {
    const { changes, faults } = readNvsCsv(text, files);
    const keys = changes.flatMap((change) => (change.kind === 'set' ? [change] : []));
    return {
      name,
      what: `CSV, ${countsText(keys)}`,
      keys,
      faults: faults.map((fault) => `${fault.message} ${nvsFailureText[fault.code].remedy}`),
      refusal: null,
    };
  } catch (error) {
    if (error instanceof NvsError) {
      return refusedSource(name, `${error.message} ${nvsFailureText[error.code].remedy}`);
    }
    throw error;
  }
}

/** Returns the keys of a backup set's NVS, preferably of the partition with this name. */
function backupSource(name: string, { parts }: BackupSet, partition: string): NvsSource {
  const stores = parts.filter(({ type, subtype }) => type !== null && subtype !== null && isNvs({ type, subtype }));
  const found = stores.find((part) => part.name === partition) ?? stores[0] ?? parts.find(({ type }) => type === null);
  return found === undefined
    ? refusedSource(name, 'This backup has no NVS. Choose a backup with a partition of stored settings.')
    : imageSource(name, found.bytes, partition);
}

function imageSource(name: string, bytes: Uint8Array, partition: string): NvsSource {
  const image = partitionIn(bytes, partition);
  const store = readNvs(image);
  switch (store.kind) {
    case 'nvs':
      return storeSource(
        name,
        `Partition image of ${sizeText(image.length)}, ${countsText(liveEntries(store))}`,
        store,
      );
    case 'empty':
      return refusedSource(name, 'The file is erased flash: it holds no keys.');
    case 'encrypted':
      return refusedSource(
        name,
        'The NVS in this file is encrypted. Its keys and values can only be read by its firmware.',
      );
    case 'newer':
      return refusedSource(
        name,
        'The NVS in this file has a format that is newer than version 2. Its firmware can read it.',
      );
    case 'foreign':
      return refusedSource(
        name,
        'The file is no CSV of NVS, no image of an NVS partition, and no backup of a flash with one. Choose another file.',
      );
  }
}

/** Returns the NVS partition of a backup of the whole flash, preferably the one with this name; else all bytes. */
function partitionIn(bytes: Uint8Array, name: string): Uint8Array {
  // Without a table, the file is not a backup of the whole flash.
  const partitions = findTableIn(bytes)?.table.partitions ?? [];
  const stores = partitions.filter((one) => subtypeName(one) === 'nvs' && one.offset + one.size <= bytes.length);
  const found = stores.find((one) => one.name === name) ?? stores[0];
  return found === undefined ? bytes : bytes.subarray(found.offset, found.offset + found.size);
}

function countsText(keys: readonly SourceKey[]): string {
  const namespaces = new Set(keys.map(({ namespace }) => namespace)).size;
  return `${counted(keys.length, 'key')} in ${counted(namespaces, 'namespace')}`;
}

/** `3 keys changed`, `1 key changed, 2 added`; null if no key differs. */
export function differencesText(before: NvsStore, after: NvsStore): string | null {
  const differences = compareNvs(before, after);
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const number = differences.filter((one) => one.kind === kind).length;
    return number === 0 ? [] : [{ number, kind }];
  });
  return parts.length === 0
    ? null
    : parts.map(({ number, kind }, index) => `${index === 0 ? counted(number, 'key') : number} ${kind}`).join(', ');
}

interface NvsDifference {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly namespace: string;
  readonly key: string;
  /** Null if the key was added. */
  readonly before: NvsValue | null;
  /** Null if the key was removed. */
  readonly after: NvsValue | null;
}

/** Returns the keys that differ, sorted by namespace and key. Entries that firmware does not read are left out. */
export function compareNvs(before: NvsStore, after: NvsStore): NvsDifference[] {
  const old = valuesOf(before);
  const now = valuesOf(after);
  const differences: NvsDifference[] = [];
  for (const [name, { namespace, key, value }] of now) {
    const earlier = old.get(name)?.value;
    if (earlier === undefined) {
      differences.push({ kind: 'added', namespace, key, before: null, after: value });
    } else if (!isSameValue(earlier, value)) {
      differences.push({ kind: 'changed', namespace, key, before: earlier, after: value });
    }
  }
  for (const [name, { namespace, key, value }] of old) {
    if (!now.has(name)) {
      differences.push({ kind: 'removed', namespace, key, before: value, after: null });
    }
  }
  return differences.sort((one, other) => order(one.namespace, other.namespace) || order(one.key, other.key));
}

function valuesOf(store: NvsStore): Map<string, LiveNvsEntry> {
  return new Map(liveEntries(store).map((entry) => [JSON.stringify([entry.namespace, entry.key]), entry]));
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
