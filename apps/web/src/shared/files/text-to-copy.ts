/**
 * The text that the browser did not copy, and the reason. `copy-text.ts` writes it, and `copy-by-hand.tsx` shows it.
 */
import { createStore } from 'zustand/vanilla';

interface TextToCopy {
  /** Null: no text to copy. */
  readonly text: string | null;
  readonly reason: string;
}

export const textToCopy = createStore<TextToCopy>(() => ({ text: null, reason: '' }));
