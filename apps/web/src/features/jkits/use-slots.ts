import type { Jkit } from '@wirebench/contract';
import { useEffect } from 'react';
import { fieldsOf, parseJson } from '../../shared/json.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { placed, placesOf, type SlotPlaces } from './model/slots.ts';

export interface SlotsOf {
  readonly user: string;
  readonly type: Jkit['type'];
}

const storageKey = ({ user, type }: SlotsOf) => `wirebench.${type === 'chip' ? 'chip' : 'jkit'}-slots.${user}`;

/**
 * Returns the user's JKits by slot, null for a free one. Stores the assignment in the browser.
 *
 * @param jkits Undefined while the list is loading.
 */
export function useSlots(of: SlotsOf, jkits: readonly Jkit[] | undefined, slots: number): readonly (Jkit | null)[] {
  const key = storageKey(of);
  const all = jkits === undefined ? [] : placed(jkits, remembered(key), slots);
  const places = jkits === undefined ? null : JSON.stringify(placesOf(all));
  useEffect(() => {
    if (places !== null && places !== browserStorage.getItem(key)) {
      remember(key, places);
    }
  }, [key, places]);
  return all;
}

function remembered(key: string): SlotPlaces {
  const places = fieldsOf(parseJson(browserStorage.getItem(key) ?? ''));
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}

/** Stores the assignment. If the storage is full, the slots are filled in list order on the next visit. */
function remember(key: string, places: string): void {
  try {
    browserStorage.setItem(key, places);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}
