/** Rules between page and worker: what the worker watches, and what it reports of rules whose actions the page does. */
import type { Hit, PortNumber, WatchedRule } from '@wirebench/serial';
import { type BenchPart, news, revision } from './fact.ts';

/** A rule that is on, with its actions as the worker needs them. */
export interface RunningRule extends WatchedRule {
  readonly name: string;
  /** Bytes that are sent to the port of the line; null for none, and while the rule may not act. */
  readonly answer: Uint8Array | null;
  /** Name that the log has for the answer; null for an answer that the log shows. */
  readonly answerName: string | null;
  /** True: the page acts on each hit, so each is reported. */
  readonly isReported: boolean;
}

/** An event of a rule whose actions are the page's. */
export interface RuleEvent {
  readonly id: string;
  readonly kind:
    | 'hit'
    /** The rule was stopped, because its answers came too often. */
    | 'looping'
    /** The answer could not be sent. `text` is the reason. */
    | 'failed'
    /** The port belongs to another person's bench, who answers there. */
    | 'elsewhere';
  readonly port: PortNumber | null;
  /** Text of the line; the reason of a failure; empty for a silence. */
  readonly text: string;
  /** Value that crossed a limit; null for other conditions. */
  readonly value: number | null;
  /** Hits since the previous tick. Only the last of them is reported. */
  readonly count: number;
}

export interface RuleCounts {
  /** By rule id: lines, or silences, that matched. */
  readonly counts: Readonly<Record<string, number>>;
  /** True while older lines are still to be counted or marked. */
  readonly isCatchingUp: boolean;
}

/** Marks of the log for its scroll bar. */
export interface MarkTicks {
  /** Places with at least one mark, of `MARK_PLACES` from the oldest line (0) to the newest. Ascending. */
  readonly places: readonly number[];
  readonly count: number;
}

/** Number of places that marks are reported in. */
export const MARK_PLACES = 256;

/** Calls for rules and marks. */
export interface RuleCalls {
  /** Replaces the rules that are watched. A rule with the same id and condition keeps its count. */
  setRules(rules: readonly RunningRule[]): void;
  ruleCounts(): RuleCounts;
  resetRuleCounts(): void;
  /** Returns the mark after or before the line `from`; null without marks. */
  markStep(direction: 'next' | 'previous', from: number): Hit | null;
  markTicks(): MarkTicks;
}

export const rulePart = {
  quiet: ['setRules', 'ruleCounts', 'markStep', 'markTicks'],
  facts: {
    /** Changes with the counts of rules, and with the marks. */
    ruleRevision: revision,
    /** Events of rules since the previous tick. */
    ruleEvents: news<readonly RuleEvent[]>([]),
  },
} satisfies BenchPart<RuleCalls>;
