/** Reads the screen in tests of whole pages. */
import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';

/** Waits until the element of `find` exists and its text matches `text`. */
export const says = (find: () => HTMLElement | null | undefined, text: string | RegExp) =>
  waitFor(() => expect(find()?.textContent).toMatch(text));

export function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) {
    throw new Error('There is none.');
  }
  return first;
}
