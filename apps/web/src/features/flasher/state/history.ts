/** History of flashes in this browser: one entry for each flash, newest first. It is never sent to a server. */

import { type Receipt, receiptTitle } from '@wirebench/flasher/receipt';
import { browserStorage, type TextStorage } from '../../../shared/storage/browser-storage.ts';

const storageKey = 'wirebench.flash-history';
/** Maximum number of entries. */
const longestHistory = 500;

export interface HistoryEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** MAC, or another unique id. */
  readonly board: string;
  readonly chip: string;
  readonly firmware: string;
  readonly verified: boolean;
  /** True: nothing had to be written, because the flash already contained it. */
  readonly already?: boolean;
}

/** Returns the stored entries; empty if they cannot be read. */
export function readHistory(storage: TextStorage = browserStorage): readonly HistoryEntry[] {
  const kept = parsed(storage.getItem(storageKey));
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

/**
 * Returns undefined for text that is not JSON. Another version or the user may have changed it, and the history is
 * only a memory aid.
 */
function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  const texts = ['at', 'board', 'chip', 'firmware'];
  return (
    typeof value === 'object' &&
    value !== null &&
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    typeof Reflect.get(value, 'verified') === 'boolean'
  );
}

/**
 * Adds an entry for a receipt. Boards without an id are not recorded, because they cannot be distinguished. Demo
 * boards are not recorded either.
 */
export function remember(receipt: Receipt, storage: TextStorage = browserStorage): void {
  const { at, id, chip, demo, state, written } = receipt;
  if (id === null || demo) {
    return;
  }
  const verified = state === 'complete';
  const already = written === 0;
  const entry = { at, board: id, chip, firmware: receiptTitle(receipt), verified, ...(already && { already }) };
  storage.setItem(storageKey, JSON.stringify([entry, ...readHistory(storage)].slice(0, longestHistory)));
}

/** Removes every entry of this board. */
export function forgetBoard(board: string, storage: TextStorage = browserStorage): void {
  const others = readHistory(storage).filter((entry) => entry.board !== board);
  if (others.length === 0) {
    storage.removeItem(storageKey);
  } else {
    storage.setItem(storageKey, JSON.stringify(others));
  }
}
