/** Rules about silence: no byte, or no line of some kind, for a time on an open port. */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from '../line-channel.ts';
import { type PortNumber, portNumbers } from '../port-number.ts';
import { keyOf, type LineRules, type WatchedRule } from './line-rules.ts';

export interface SilencesParts {
  readonly clock: Clock;
  readonly isOpen: (port: PortNumber) => boolean;
  /** Called for each silence that has lasted long enough. */
  readonly onSilence: (rule: WatchedRule, port: PortNumber) => void;
}

/** A rule about silence on one port. */
interface Silence {
  readonly rule: WatchedRule;
  readonly port: PortNumber;
  readonly wait: number;
  /** Start of the silence; null while the port is closed, and after the silence was reported. */
  since: number | null;
  isReported: boolean;
}

export class Silences {
  readonly #parts: SilencesParts;
  #silences: readonly Silence[] = [];

  constructor(parts: SilencesParts) {
    this.#parts = parts;
  }

  /**
   * Replaces the rules. A silence of the same rule goes on.
   *
   * @param lines The same rules, as they find lines.
   */
  set(rules: readonly WatchedRule[], lines: LineRules): void {
    const known = new Map(this.#silences.map((silence) => [`${keyOf(silence.rule)} ${silence.port}`, silence]));
    this.#silences = rules.flatMap((rule, index) => {
      const { condition } = rule;
      if (condition.kind !== 'silence') {
        return [];
      }
      const ports = lines.queryOf(index)?.ports ?? rule.ports ?? portNumbers;
      return ports.map((port): Silence => {
        const before = known.get(`${keyOf(rule)} ${port}`);
        const state = { since: before?.since ?? null, isReported: before?.isReported ?? false };
        return { rule, port, wait: condition.seconds * 1_000, ...state };
      });
    });
  }

  /** Ends the silence of a rule on a port: a line of the rule has arrived. */
  heardLine(id: string, port: PortNumber | null): void {
    this.#heard((silence) => silence.rule.id === id && silence.port === port);
  }

  /** Ends the silences that any byte of the channel ends. */
  heardBytes({ identity }: LineChannel): void {
    if (identity.direction === 'received') {
      this.#heard(({ rule, port }) => port === identity.port && hearsBytes(rule));
    }
  }

  #heard(isHeard: (silence: Silence) => boolean): void {
    const now = this.#parts.clock.now();
    for (const silence of this.#silences) {
      if (isHeard(silence)) {
        silence.since = now;
        silence.isReported = false;
      }
    }
  }

  /** Reports silences that have lasted long enough. Returns when the next one has. */
  end(now: number): number {
    let due = Number.POSITIVE_INFINITY;
    const ended: Silence[] = [];
    for (const silence of this.#silences) {
      if (!this.#parts.isOpen(silence.port)) {
        silence.since = null;
        silence.isReported = false;
        continue;
      }
      silence.since ??= now;
      if (silence.isReported) {
        continue;
      }
      if (now - silence.since >= silence.wait) {
        silence.isReported = true;
        ended.push(silence);
      } else {
        due = Math.min(due, silence.since + silence.wait);
      }
    }
    for (const { rule, port } of ended) {
      this.#parts.onSilence(rule, port);
    }
    return due;
  }
}

/** Returns true for a rule whose silence any byte ends. */
const hearsBytes = ({ condition }: WatchedRule): boolean =>
  condition.kind === 'silence' && condition.find.trim() === '';
