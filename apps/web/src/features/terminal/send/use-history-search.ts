/** Incremental search in the sent messages, as Ctrl+R in a shell. */
import { useState } from 'react';
import { sendHistory } from '../terminal-session.ts';
import type { Message } from './send-message.ts';

export interface HistorySearch {
  readonly query: string;
  /** The message that is found now; null without one. */
  readonly found: Message | null;
  /** Number of messages found. */
  readonly count: number;
  /** Position of `found`, from 1 for the newest. */
  readonly place: number;
}

export interface HistorySearchActions {
  /** Null while nothing is searched. */
  readonly search: HistorySearch | null;
  readonly begin: () => void;
  readonly type: (query: string) => void;
  /** @param by 1: the next older message. −1: the next newer one. */
  readonly step: (by: 1 | -1) => void;
  readonly end: () => void;
}

export function useHistorySearch(): HistorySearchActions {
  const [state, setState] = useState<{ readonly query: string; readonly index: number } | null>(null);
  const found = state === null ? [] : sendHistory.find(state.query);
  return {
    search:
      state === null
        ? null
        : { query: state.query, found: found[state.index] ?? null, count: found.length, place: state.index + 1 },
    begin: () => setState({ query: '', index: 0 }),
    type: (query) => setState({ query, index: 0 }),
    step: (by) =>
      setState((before) =>
        before === null ? null : { ...before, index: Math.max(0, Math.min(before.index + by, found.length - 1)) },
      ),
    end: () => setState(null),
  };
}
