/** The text that the browser did not copy, and why: written by `copy-text.ts`, shown by `copy-by-hand.tsx`. */
import { createStore } from 'zustand/vanilla';

interface TextToCopy {
  /** Null while there is nothing. */
  readonly text: string | null;
  readonly reason: string;
}

export const textToCopy = createStore<TextToCopy>(() => ({ text: null, reason: '' }));
