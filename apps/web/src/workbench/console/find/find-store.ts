/** What the console looks for, as it was typed, and how it came out. Lasts as long as the page. */
import { parseFilterField } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { getBench } from '../../bench.ts';

interface Find {
  readonly text: string;
  /** Lines without a match are hidden. */
  readonly matchesOnly: boolean;
  /** Why what was typed cannot be looked for; what was looked for before goes on meanwhile. */
  readonly failure: string | null;
}

const findStore = createStore<Find>(() => ({ text: '', matchesOnly: false, failure: null }));

export function useFind<Part>(select: (find: Find) => Part): Part {
  return useStore(findStore, select);
}

export function changeFind(change: Partial<Pick<Find, 'text' | 'matchesOnly'>>): void {
  findStore.setState(change);
  const { text, matchesOnly } = findStore.getState();
  const parsed = parseFilterField(text);
  findStore.setState({ failure: parsed.ok ? null : parsed.message });
  if (parsed.ok) {
    const { terms, ...scope } = parsed.query;
    void getBench().call('find', { scope, terms, matchesOnly });
  }
}
