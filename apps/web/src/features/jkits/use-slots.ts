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

/** One's own jkits in their slots, null for a free one. @param jkits null while they are not known */
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

/** Without room for it the slots are filled by the list, as in a browser that knows nothing yet. */
function remember(key: string, places: string): void {
  try {
    browserStorage.setItem(key, places);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}
