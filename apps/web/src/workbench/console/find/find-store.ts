/** Text of the find field and its failure. Kept until the page is closed. */
import { parseFilterField } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { getBench } from '../../bench.ts';

interface Find {
  readonly text: string;
  /** True: lines without a match are hidden. */
  readonly matchesOnly: boolean;
  /** Reason why the text is invalid, or null. The previous search remains active. */
  readonly failure: string | null;
}

const findStore = pageStore<Find>({ text: '', matchesOnly: false, failure: null });

export const useFind = findStore.use;

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
