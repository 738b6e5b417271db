/** Changes an NVS partition, builds one, and carries keys over into another. */

import { NvsError } from './nvs-failure.ts';
import { dataField, keyBytesOf, MAX_NAMESPACES, NAMESPACE_LIST, type NvsVersion, PAGE_SIZE } from './nvs-layout.ts';
import { type LogItem, NvsLog, nextChunkStart } from './nvs-log.ts';
import { checkName, checkValue, endedString, integerBytes, isSameValue, type NvsValue } from './nvs-value.ts';
import { liveEntries, type NvsStore, readNvs } from './read-nvs.ts';
import type { SectorWrite } from './sector-writes.ts';

/** Smallest partition that firmware changes, in bytes (ESP-IDF Programming Guide, "NVS Partition Generator Utility"). */
const MIN_WRITABLE_SIZE = 0x3000;

export type NvsChange =
  /** Adds a key or replaces its value, also by one of another type. Adds the namespace if it is missing. */
  | { readonly kind: 'set'; readonly namespace: string; readonly key: string; readonly value: NvsValue }
  | { readonly kind: 'delete'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'add-namespace'; readonly namespace: string }
  /** Deletes a namespace with its keys. */
  | { readonly kind: 'delete-namespace'; readonly namespace: string };

export interface ChangedNvs {
  /** The whole partition after all writes. */
  readonly image: Uint8Array;
  /**
   * Sectors to write, in this order; some may be listed repeatedly. After each of them every key has its value before
   * or after its change, by the rules of ESP-IDF. A write that is cut short while its sector contained no entries
   * keeps this; otherwise the entries of that one page are lost until it is written again.
   */
  readonly writes: readonly SectorWrite[];
}

/**
 * Applies changes as the library of ESP-IDF would. Values that are stored already cause no write.
 *
 * @param image Partition, readable or erased. It is not changed.
 * @throws NvsError if a change is refused. No change is then made.
 */
export function changeNvs(image: Uint8Array, changes: readonly NvsChange[]): ChangedNvs {
  return applyChanges(image, changes, 1);
}

/**
 * Builds a partition with these keys.
 *
 * @param size Bytes, a multiple of 4,096. A partition below 0x3000 can only be read by firmware.
 * @param version Of all pages. A partition that is built again keeps that of its store.
 * @throws NvsError `nvs-size`, `nvs-full` or the refusal of a change.
 */
export function buildNvs(size: number, changes: readonly NvsChange[], version: NvsVersion = 2): Uint8Array {
  if (!Number.isSafeInteger(size) || size <= 0 || size % PAGE_SIZE !== 0) {
    throw new NvsError('nvs-size');
  }
  const reserved = size < MIN_WRITABLE_SIZE ? 0 : 1;
  return applyChanges(new Uint8Array(size).fill(0xff), changes, reserved, version).image;
}

/**
 * Returns the changes that carry namespaces and keys of a store over into another partition. Entries that are erased,
 * damaged or left over are not carried.
 *
 * @param isWanted Chooses keys. Namespaces without a chosen key are then left out.
 */
export function changesOf(
  store: NvsStore,
  isWanted?: (entry: { readonly namespace: string; readonly key: string }) => boolean,
): NvsChange[] {
  const entries = liveEntries(store).filter((entry) => isWanted?.(entry) ?? true);
  const names = isWanted === undefined ? store.namespaces : [...new Set(entries.map(({ namespace }) => namespace))];
  return names.flatMap((namespace): NvsChange[] => [
    { kind: 'add-namespace', namespace },
    ...entries
      .filter((entry) => entry.namespace === namespace)
      .map(({ key, value }): NvsChange => ({ kind: 'set', namespace, key, value })),
  ]);
}

function checkReadable(store: NvsStore): NvsStore {
  switch (store.kind) {
    case 'nvs':
    case 'empty':
      return store;
    case 'encrypted':
      throw new NvsError('nvs-encrypted');
    case 'newer':
      throw new NvsError('nvs-newer');
    case 'foreign':
      throw new NvsError('nvs-not-readable');
  }
}

function applyChanges(
  image: Uint8Array,
  changes: readonly NvsChange[],
  reserved: 0 | 1,
  version: NvsVersion = 2,
): ChangedNvs {
  const before = checkReadable(readNvs(image));
  const log = new NvsLog(image, reserved, version);
  for (const change of changes) {
    applyChange(log, change);
  }
  const writes = log.finish();
  checkResult(before, changes, readNvs(log.image));
  return { image: log.image, writes };
}

function applyChange(log: NvsLog, change: NvsChange): void {
  switch (change.kind) {
    case 'set':
      setKey(log, change.namespace, change.key, change.value);
      return;
    case 'delete':
      deleteKey(log, change.namespace, change.key);
      return;
    case 'add-namespace':
      addNamespace(log, change.namespace);
      return;
    case 'delete-namespace':
      deleteNamespace(log, change.namespace);
      return;
  }
}

function setKey(log: NvsLog, namespace: string, key: string, value: NvsValue): void {
  const where = placeOf(namespace, key);
  checkName(key, where);
  checkValue(value, { pages: log.pageCount, version: log.version }, where);
  const index = addNamespace(log, namespace);
  const name = keyBytesOf(key);
  const [visible, ...hidden] = log.find(index, name);
  if (visible !== undefined && hidden.length === 0 && log.holds(visible, value)) {
    return;
  }
  // Hidden items go first, last one first, so that the visible one stays until its successor is there.
  removeAll(log, hidden);
  try {
    append(log, index, name, value, visible);
  } catch (error) {
    throw error instanceof NvsError ? new NvsError(error.code, { where, cause: error }) : error;
  }
  if (visible !== undefined) {
    log.remove(visible);
  }
}

function append(log: NvsLog, namespace: number, key: string, value: NvsValue, before: LogItem | undefined): void {
  switch (value.type) {
    case 'blob':
      log.appendBlob(namespace, key, value.bytes, nextChunkStart(before));
      return;
    case 'str': {
      const data = endedString(value.bytes);
      log.append({ namespace, type: 'str', key, field: dataField(data), data });
      return;
    }
    default:
      log.append({ namespace, type: value.type, key, field: integerBytes(value.type, value.value) });
  }
}

function deleteKey(log: NvsLog, namespace: string, key: string): void {
  const where = placeOf(namespace, key);
  const items = log.find(namespaceIndex(log, namespace), keyBytesOf(key));
  if (items.length === 0) {
    throw new NvsError('nvs-no-key', { where });
  }
  removeAll(log, items);
}

/** Returns the index of a namespace, which is added if it is missing. */
function addNamespace(log: NvsLog, namespace: string): number {
  const found = findNamespace(log, namespace);
  if (found !== null) {
    return found;
  }
  checkName(namespace, namespace);
  const taken = log.usedNamespaces();
  for (const item of log.itemsOf(NAMESPACE_LIST)) {
    taken.add(item.field[0] ?? 0);
  }
  let index = 1;
  while (taken.has(index)) {
    index++;
  }
  if (index > MAX_NAMESPACES) {
    throw new NvsError('nvs-namespaces', { where: namespace });
  }
  log.append({ namespace: NAMESPACE_LIST, type: 'u8', key: keyBytesOf(namespace), field: Uint8Array.of(index) });
  return index;
}

function deleteNamespace(log: NvsLog, namespace: string): void {
  const index = namespaceIndex(log, namespace);
  const items = log.itemsOf(index);
  removeAll(
    log,
    items.filter(({ type }) => type !== 'blob-data'),
  );
  removeAll(log, log.itemsOf(index));
  removeAll(log, log.find(NAMESPACE_LIST, keyBytesOf(namespace)));
}

function findNamespace(log: NvsLog, namespace: string): number | null {
  const item = log.find(NAMESPACE_LIST, keyBytesOf(namespace)).find(({ type, field }) => {
    const [index = 0] = field;
    return type === 'u8' && index > 0 && index <= MAX_NAMESPACES;
  });
  return item?.field[0] ?? null;
}

/** @throws NvsError `nvs-no-namespace`. */
function namespaceIndex(log: NvsLog, namespace: string): number {
  const index = findNamespace(log, namespace);
  if (index === null) {
    throw new NvsError('nvs-no-namespace', { where: namespace });
  }
  return index;
}

/** Removes items from the last to the first, so that none of them becomes visible instead of an earlier one. */
function removeAll(log: NvsLog, items: readonly LogItem[]): void {
  for (const item of items.toReversed()) {
    log.remove(item);
  }
}

function placeOf(namespace: string, key: string): string {
  return `${namespace}/${key}`;
}

/**
 * Compares all keys of the result with those that are expected: images from outside can be damaged in ways that no
 * rule foresees.
 *
 * @throws NvsError `nvs-unsafe`.
 */
function checkResult(before: NvsStore, changes: readonly NvsChange[], after: NvsStore): void {
  const expected = new Map(before.namespaces.map((name) => [name, new Map<string, NvsValue>()]));
  for (const { namespace, key, value } of liveEntries(before)) {
    expected.get(namespace)?.set(key, value);
  }
  for (const change of changes) {
    const { namespace } = change;
    if (change.kind === 'delete-namespace') {
      expected.delete(namespace);
      continue;
    }
    const keys = expected.get(namespace) ?? new Map<string, NvsValue>();
    expected.set(namespace, keys);
    if (change.kind === 'set') {
      keys.set(change.key, change.value);
    } else if (change.kind === 'delete') {
      keys.delete(change.key);
    }
  }
  const entries = liveEntries(after);
  const count = [...expected.values()].reduce((sum, { size }) => sum + size, 0);
  const isExpected = entries.every(({ namespace, key, value }) => {
    const wanted = expected.get(namespace)?.get(key);
    return wanted !== undefined && isSameValue(wanted, value);
  });
  if (!isExpected || entries.length !== count || after.namespaces.length !== expected.size) {
    throw new NvsError('nvs-unsafe');
  }
}
