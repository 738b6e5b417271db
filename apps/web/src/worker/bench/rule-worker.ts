/**
 * Worker side of the rules: watches them, also in a hidden tab, sends their answers, and reports the hits of those
 * whose other actions are the page's. Colours and marks of rows are found when rows are requested.
 */
import type { Clock } from '@wirebench/clock';
import {
  AnswerGuard,
  type Bench,
  type Hit,
  loopText,
  type PortNumber,
  type RuleHit,
  type RuleLook,
  type RuleWatch,
} from '@wirebench/serial';
import {
  MARK_PLACES,
  type MarkTicks,
  type RuleCounts,
  type RuleEvent,
  type RunningRule,
} from '../../protocol/bench/rule-part.ts';

export interface RuleWorkerParts {
  readonly bench: Bench;
  readonly clock: Clock;
  /** Returns true if the board of the port is at another person's bench. */
  readonly isElsewhere: (port: PortNumber) => boolean;
  readonly onProgress: () => void;
}

export class RuleWorker {
  readonly #parts: RuleWorkerParts;
  readonly #watch: RuleWatch;
  #rules: readonly RunningRule[] = [];
  readonly #guards = new Map<string, AnswerGuard>();
  /** Events since the last tick, by rule and kind. */
  readonly #events = new Map<string, RuleEvent>();
  /** Rules that were reported as answered elsewhere since they were set. */
  readonly #elsewhere = new Set<string>();

  constructor(parts: RuleWorkerParts) {
    this.#parts = parts;
    const { onProgress } = parts;
    this.#watch = parts.bench.ruleWatch({ onHit: (hit) => this.#hit(hit), onChange: onProgress });
  }

  /** Changes with the counts and with the marks. */
  get revision(): number {
    return this.#watch.revision;
  }

  /** Changes when the look of existing lines has changed. */
  get lookRevision(): number {
    return this.#watch.lookRevision;
  }

  get counts(): RuleCounts {
    return { counts: Object.fromEntries(this.#watch.counts), isCatchingUp: this.#watch.isCatchingUp };
  }

  /** Replaces the rules. Those with the same condition keep their counts. */
  set(rules: readonly RunningRule[]): void {
    this.#rules = rules;
    for (const id of [...this.#guards.keys()]) {
      if (!rules.some((rule) => rule.id === id)) {
        this.#guards.delete(id);
      }
    }
    this.#elsewhere.clear();
    this.#watch.set(rules);
  }

  resetCounts(): void {
    this.#watch.resetCounts();
  }

  startOver(): void {
    this.#watch.startOver();
  }

  restoreCleared(): void {
    this.#watch.restoreCleared();
  }

  /** Call this after each change of the bench. */
  changed(): void {
    this.#watch.changed();
  }

  looks(rows: Parameters<RuleWatch['looks']>[0]): readonly (RuleLook | null)[] {
    return this.#watch.looks(rows);
  }

  /**
   * Returns the next or the previous mark; null without marks.
   *
   * @param from Line from which to step.
   */
  step(direction: 'next' | 'previous', from: number): Hit | null {
    const { marks } = this.#watch;
    marks?.catchUp();
    return (direction === 'next' ? marks?.next(from) : marks?.previous(from)) ?? null;
  }

  /** Returns where the marks are among all lines that are held. */
  ticks(): MarkTicks {
    const { marks } = this.#watch;
    const { first, last } = this.#bounds();
    if (marks === null || last <= first) {
      return { places: [], count: 0 };
    }
    const places: number[] = [];
    let before = marks.rank(first);
    for (let place = 0; place < MARK_PLACES; place++) {
      const upTo = marks.rank(first + Math.ceil(((place + 1) * (last + 1 - first)) / MARK_PLACES));
      if (upTo > before) {
        places.push(place);
      }
      before = upTo;
    }
    return { places, count: marks.count };
  }

  /** Returns the events since the last call. */
  take(): RuleEvent[] {
    const events = [...this.#events.values()];
    this.#events.clear();
    return events;
  }

  /** Sequence numbers of the oldest and the newest line held. */
  #bounds(): { readonly first: number; readonly last: number } {
    const { bench } = this.#parts;
    const end = (anchor: 'tail' | { readonly position: number }) =>
      bench.rows({ layout: 'text', anchor, count: 1 }).rows[0]?.sequence ?? 0;
    return { first: end({ position: 0 }), last: end('tail') };
  }

  #hit({ id, port, line, value }: RuleHit): void {
    const rule = this.#rules.find((running) => running.id === id);
    if (rule === undefined) {
      return;
    }
    if (rule.answer !== null && port !== null) {
      this.#answer(rule, rule.answer, port);
    }
    if (rule.isReported) {
      this.#report({ id, kind: 'hit', port, text: line?.text() ?? '', value });
    }
  }

  #answer(rule: RunningRule, answer: Uint8Array, port: PortNumber): void {
    const { bench, clock, isElsewhere } = this.#parts;
    const { id, name } = rule;
    if (isElsewhere(port)) {
      if (!this.#elsewhere.has(id)) {
        this.#elsewhere.add(id);
        this.#report({ id, kind: 'elsewhere', port, text: '', value: null });
      }
      return;
    }
    if (bench.status().ports[port].state !== 'connected') {
      return;
    }
    const guard = this.#guards.get(id) ?? new AnswerGuard();
    this.#guards.set(id, guard);
    if (!guard.allows(clock.now())) {
      this.set(this.#rules.filter((running) => running !== rule));
      bench.notice('error', loopText(name), port);
      this.#report({ id, kind: 'looping', port, text: '', value: null });
      return;
    }
    bench.send(port, answer.slice(), { hidden: rule.answerName ?? undefined }).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      this.#report({ id, kind: 'failed', port, text, value: null });
    });
  }

  #report(event: Omit<RuleEvent, 'count'>): void {
    const key = `${event.kind} ${event.id}`;
    this.#events.set(key, { ...event, count: (this.#events.get(key)?.count ?? 0) + 1 });
    this.#parts.onProgress();
  }
}
