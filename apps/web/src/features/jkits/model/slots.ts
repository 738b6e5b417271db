/**
 * Which of one's own jkits is in which slot. The list comes sorted by the last change, and its first jkits fill the slots. A jkit then
 * keeps its slot as long as it exists: saving, updating or deleting one moves no other. The server knows no slots, so each browser
 * remembers its own.
 */
import type { Jkit } from '@wirebench/contract';

/** Slots from 0, by the jkit's id. */
export type SlotPlaces = Readonly<Record<string, number>>;

type Placed = Pick<Jkit, '_id'>;

/**
 * The slots in their order, null for one that is free: there are `slots`, or more while more are filled. What is not remembered goes
 * into the free ones in the order of the list.
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

/** What is to be remembered of them. */
export function placesOf(slots: readonly (Placed | null)[]): SlotPlaces {
  return Object.fromEntries(slots.flatMap((jkit, place) => (jkit === null ? [] : [[jkit._id, place]])));
}
