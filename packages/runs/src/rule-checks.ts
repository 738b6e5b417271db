/**
 * Watches rules that must fire or must not (decision 88), from the start of a run to the moment after its last wait,
 * and decides them. The same in a panel's run and in `wirebench test`.
 */
import type { Clock } from '@wirebench/clock';
import type { Bench, PortNumber, RuleCondition, RuleHit, RuleMust, RuleWatch } from '@wirebench/serial';

/** A rule that decides about a run. One about a value is a limit of what is plotted. */
export interface TestRule {
  readonly name: string;
  readonly must: RuleMust;
  readonly condition: RuleCondition;
}

/** A rule at the end of a run. */
export interface RuleVerdict {
  readonly name: string;
  /** Milliseconds from the start to its first hit; null without one. */
  readonly after: number | null;
  /** The reason why the rule is broken, without full stop; null: it is kept. */
  readonly fault: string | null;
}

/** Longest wait for rules that must fire after the last message, in milliseconds. */
export const RULE_WAIT = 10_000;
/** Watch for rules that must not fire after the last wait, in milliseconds. */
export const SETTLE = 1_000;

export interface RuleChecksParts {
  readonly clock: Clock;
  readonly bench: Pick<Bench, 'ruleWatch'>;
  readonly rules: readonly TestRule[];
  readonly ports: readonly PortNumber[];
  /** Returns words for the port of a hit, with a space before them; empty where it is clear. */
  readonly placeText: (port: PortNumber) => string;
  /** Called when a rule that must not fire has fired, and there is no need to go on. */
  readonly onBroken: () => void;
}

interface Fired {
  readonly hit: RuleHit;
  /** Wall time in milliseconds. */
  readonly at: number;
}

export class RuleChecks {
  readonly #parts: RuleChecksParts;
  readonly #watch: RuleWatch;
  readonly #startedAt: number;
  /** Wall time from which lines of a port count, where it is later than the start. */
  readonly #restartedAt = new Map<PortNumber, number>();
  /** First hit of each rule, by its index. */
  readonly #fired = new Map<number, Fired>();
  /** Indexes of the limits whose series was plotted. */
  readonly #plotted = new Set<number>();
  #onFired: () => void = () => undefined;

  /** Begins to watch. */
  constructor(parts: RuleChecksParts) {
    this.#parts = parts;
    const { bench, clock, rules, ports } = parts;
    this.#startedAt = clock.wallTime();
    this.#watch = bench.ruleWatch({ onHit: (hit) => this.#hit(hit), onChange: () => undefined });
    this.#watch.set(
      rules.flatMap(({ condition, must }, index) => {
        const look = { colour: null, colours: 'line', mark: false, ports } as const;
        const rule = { ...look, id: `${index}`, condition };
        // A limit of a series that was never plotted is not kept.
        const isLimit = condition.kind === 'value' && must === 'not-fire';
        return isLimit
          ? [rule, { ...look, id: `${index} plotted`, condition: { ...condition, side: 'above', limit: -Infinity } }]
          : [rule];
      }),
    );
  }

  /** Call this after each change of the bench. */
  changed(): void {
    this.#watch.changed();
  }

  /** Forgets what a port has said: its program begins now. */
  restarted(port: PortNumber): void {
    for (const [index, { hit }] of this.#fired) {
      if (hit.port === port) {
        this.#fired.delete(index);
      }
    }
    this.#restartedAt.set(port, this.#parts.clock.wallTime());
  }

  /** Waits until every rule that must fire has fired, at most `longest` milliseconds, or until `stop` aborts. */
  async awaited(stop: AbortSignal, longest = RULE_WAIT): Promise<void> {
    const { clock, rules } = this.#parts;
    const isOpen = () => rules.some(({ must }, index) => must === 'fire' && !this.#fired.has(index));
    const over = new AbortController();
    this.#onFired = () => {
      if (!isOpen()) {
        over.abort();
      }
    };
    if (isOpen() && !stop.aborted) {
      await clock.sleep(longest, AbortSignal.any([stop, over.signal])).catch(() => 'fired, or ended');
    }
  }

  /**
   * Returns the verdict of each rule, in their order.
   *
   * @param hasPassed True: answers have passed, which a rule that fired withdraws.
   */
  verdicts(hasPassed: boolean): readonly RuleVerdict[] {
    const { rules } = this.#parts;
    return rules.map((rule, index) => {
      const fired = this.#fired.get(index);
      const after = fired === undefined ? null : Math.max(0, fired.at - this.#startedAt);
      return { name: rule.name, after, fault: this.#faultOf(rule, index, hasPassed) };
    });
  }

  #faultOf({ name, must, condition }: TestRule, index: number, hasPassed: boolean): string | null {
    const fired = this.#fired.get(index);
    if (must === 'fire') {
      return fired === undefined ? `the rule "${name}" did not fire` : null;
    }
    if (fired !== undefined) {
      const withdrawn = hasPassed ? ', which withdraws the pass' : '';
      return `the rule "${name}" fired${this.#hitText(fired)}${withdrawn}`;
    }
    return condition.kind === 'value' && !this.#plotted.has(index) ? `"${condition.series}" was never plotted` : null;
  }

  #hitText({ hit: { port, line, value }, at }: Fired): string {
    const on = port === null ? '' : this.#parts.placeText(port);
    const seconds = Math.max(0, at - this.#startedAt) / 1_000;
    const read = value === null ? '' : ` with ${value}`;
    return ` after ${seconds.toFixed(3)} s${on}${line === null ? ': silence' : `${read}: ${line.text().trim()}`}`;
  }

  /** Stops watching. */
  dispose(): void {
    this.#watch.dispose();
  }

  #hit(hit: RuleHit): void {
    const { clock, rules, onBroken } = this.#parts;
    const { line, port } = hit;
    if (line !== null && port !== null && line.at < (this.#restartedAt.get(port) ?? 0)) {
      return;
    }
    const [index = '', isPlotted] = hit.id.split(' ');
    if (isPlotted !== undefined) {
      this.#plotted.add(Number(index));
    } else if (!this.#fired.has(Number(index))) {
      this.#fired.set(Number(index), { hit, at: clock.wallTime() });
      if (rules[Number(index)]?.must === 'not-fire') {
        onBroken();
      }
    }
    this.#onFired();
  }
}
