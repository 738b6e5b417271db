/**
 * The text that the browser did not copy, and the reason. `copy-text.ts` writes it, and `copy-by-hand.tsx` shows it.
 */
import { pageStore } from '../page-store.ts';

interface TextToCopy {
  /** Null: no text to copy. */
  readonly text: string | null;
  readonly reason: string;
}

const textToCopy = pageStore<TextToCopy>({ text: null, reason: '' });

export const useTextToCopy = textToCopy.use;

export function offerTextToCopy(text: string, reason: string): void {
  textToCopy.setState({ text, reason });
}

export function dropTextToCopy(): void {
  textToCopy.setState({ text: null, reason: '' });
}
