/** Which board got what and when, kept in this browser: a line for each flash, the newest first. Never sent anywhere. */
import { browserStorage, type TextStorage } from '../../../shared/storage/browser-storage.ts';
import { type Receipt, receiptTitle } from './receipt.ts';

const storageKey = 'wirebench.flash-history';
/** Flashes that are remembered. */
const longestHistory = 500;

export interface HistoryEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** MAC or whatever else no other board has. */
  readonly board: string;
  readonly chip: string;
  readonly firmware: string;
  readonly verified: boolean;
  /** Nothing had to be written: the board had it. */
  readonly already?: boolean;
}

/** What is kept; nothing where it cannot be read. */
export function readHistory(storage: TextStorage = browserStorage): readonly HistoryEntry[] {
  const kept = parsed(storage.getItem(storageKey));
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

/** Undefined for what another version wrote, or a hand: it is a memory aid only. */
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

/** Boards without an id cannot be told from each other, and demo boards are none: they leave no line. */
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

/** Forgets every flash of this board; what other boards got stays. */
export function forgetBoard(board: string, storage: TextStorage = browserStorage): void {
  const others = readHistory(storage).filter((entry) => entry.board !== board);
  if (others.length === 0) {
    storage.removeItem(storageKey);
  } else {
    storage.setItem(storageKey, JSON.stringify(others));
  }
}
