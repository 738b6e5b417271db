/** The search of a console: its filter, its marks, and the steps between hits. */
import type { Hit, LineScope, LineTerm } from '@wirebench/serial';
import { type BenchPart, fact } from './fact.ts';
import type { LogPart } from './row-part.ts';

/** Search request of a console. */
export interface FindRequest {
  /** Lines outside the scope are hidden. */
  readonly scope: LineScope;
  /** Terms to mark and step through. May be empty. */
  readonly terms: readonly LineTerm[];
  /** True: only lines that contain the terms are shown. */
  readonly matchesOnly: boolean;
}

export interface FindStatus {
  /** Changes with each request. */
  readonly request: number;
  /** Lines found so far; null without terms to find. */
  readonly count: number | null;
  /** Shown lines found so far; null if all lines are shown. */
  readonly shown: number | null;
  /** True: all lines in the ring have been searched. */
  readonly complete: boolean;
  /** Index of the current hit, 0 for the oldest; null without one. */
  readonly index: number | null;
  /** Sequence number of the current hit's line. */
  readonly sequence: number | null;
}

/** Calls for the search of a console. */
export interface FindCalls {
  /** Sets the filter and the marked terms of the rows. Rejects without a change if the request is invalid. */
  find(request: FindRequest): void;
  /** Moves to another hit; null without hits. The first step goes to the newest hit at or before the line `from`. */
  findStep(direction: 'next' | 'previous', from: number): Hit | null;
  /** Drops the search of a pane that was closed. */
  closePane(pane: LogPart): void;
}

export const findPart = {
  quiet: ['find', 'closePane'],
  facts: {
    /** Null while no search and no filter is active. */
    find: fact<FindStatus | null>(null, ['request', 'count', 'shown', 'sequence']),
  },
} satisfies BenchPart<FindCalls>;
