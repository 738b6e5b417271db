import type { Jkit } from '@wirebench/contract';
import { useEffect } from 'react';
import { fieldsOf, parseJson } from '../../shared/json.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { placed, placesOf, type SlotPlaces } from './model/slots.ts';

const storageKey = (user: string) => `wirebench.jkit-slots.${user}`;

/** One's own jkits in their slots, null for a free one. @param jkits null while they are not known */
export function useSlots(user: string, jkits: readonly Jkit[] | undefined, slots: number): readonly (Jkit | null)[] {
  const all = jkits === undefined ? [] : placed(jkits, remembered(user), slots);
  const places = jkits === undefined ? null : JSON.stringify(placesOf(all));
  useEffect(() => {
    if (places !== null && places !== browserStorage.getItem(storageKey(user))) {
      remember(user, places);
    }
  }, [user, places]);
  return all;
}

function remembered(user: string): SlotPlaces {
  const places = fieldsOf(parseJson(browserStorage.getItem(storageKey(user)) ?? ''));
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}

/** Without room for it the slots are filled by age, as in a browser that knows nothing yet. */
function remember(user: string, places: string): void {
  try {
    browserStorage.setItem(storageKey(user), places);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}
