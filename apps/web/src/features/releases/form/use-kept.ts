import { useState } from 'react';

/** Returns the earlier list while each of its items is the same as the new one, so that effects do not run again. */
export function useKept<Item>(items: readonly Item[], isSame: (one: Item, other: Item) => boolean): readonly Item[] {
  const [kept, setKept] = useState(items);
  const isKept = kept.length === items.length && items.every((item, index) => isSame(item, kept[index] as Item));
  if (!isKept) {
    setKept(items);
  }
  return isKept ? kept : items;
}
