/**
 * The text that the browser did not copy, and the reason. `copy-text.ts` writes it, and `copy-by-hand.tsx` shows it.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface TextToCopy {
  /** Null: no text to copy. */
  readonly text: string | null;
  readonly reason: string;
}

const textToCopy = createStore<TextToCopy>(() => ({ text: null, reason: '' }));

export function useTextToCopy(): TextToCopy {
  return useStore(textToCopy);
}

export function offerTextToCopy(text: string, reason: string): void {
  textToCopy.setState({ text, reason });
}

export function dropTextToCopy(): void {
  textToCopy.setState({ text: null, reason: '' });
}
