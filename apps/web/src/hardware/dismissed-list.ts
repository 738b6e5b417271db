/**
 * Remembers that a person closed the browser's list of boards without a choice. Every dialog of the app passes here, so
 * that every tool can say what to check.
 */
import type { BoardList } from '@wirebench/port/missing-board';
import { pageStore } from '../shared/page-store.ts';

const dismissed = pageStore<{ readonly list: BoardList | null }>({ list: null });

/** The list that was closed last; null after a board was chosen. */
export const useDismissedList = (): BoardList | null => dismissed.use(({ list }) => list);

/** @param list Null: there is a board now, or the advice was dismissed. */
export function setDismissedList(list: BoardList | null): void {
  dismissed.setState({ list });
}

/**
 * Opens one of the browser's lists. Returns null if it was closed without a choice. Throws the browser's error if it
 * refuses, usually a `SecurityError`.
 */
export async function choiceFrom<Device>(list: BoardList, open: () => Promise<Device>): Promise<Device | null> {
  try {
    const device = await open();
    setDismissedList(null);
    return device;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      setDismissedList(list);
      return null;
    }
    throw error;
  }
}
