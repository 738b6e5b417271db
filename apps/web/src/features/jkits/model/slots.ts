/**
 * Assigns the user's JKits to slots. At first, the most recently changed JKits fill the slots in order. A JKit then
 * keeps its slot until it is deleted, and no action moves another one. The server does not know slots, so each
 * browser stores its own assignment.
 */
import type { Jkit } from '@wirebench/contract';

/** Slot index from 0, by JKit id. */
export type SlotPlaces = Readonly<Record<string, number>>;

type Placed = Pick<Jkit, '_id'>;

/**
 * Returns the content of each slot, null for a free one. There are `slots` slots, or more if the user has more JKits.
 * JKits without a stored slot fill the free slots in list order.
 */
export function placed<One extends Placed>(
  jkits: readonly One[],
  remembered: SlotPlaces,
  slots: number,
): (One | null)[] {
  const length = Math.max(slots, jkits.length);
  const all = Array.from({ length }, (): One | null => null);
  const unplaced: One[] = [];
  for (const jkit of jkits) {
    const place = remembered[jkit._id];
    if (place !== undefined && all[place] === null) {
      all[place] = jkit;
    } else {
      unplaced.push(jkit);
    }
  }
  for (const jkit of unplaced) {
    all[all.indexOf(null)] = jkit;
  }
  return all;
}

/** Returns the assignment to store. */
export function placesOf(slots: readonly (Placed | null)[]): SlotPlaces {
  return Object.fromEntries(slots.flatMap((jkit, place) => (jkit === null ? [] : [[jkit._id, place]])));
}
