/** Compares two NVS partitions key by key. */
import { isSameValue, type NvsValue } from './nvs-value.ts';
import { type LiveNvsEntry, liveEntries, type NvsStore } from './read-nvs.ts';

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
