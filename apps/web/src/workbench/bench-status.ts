/**
 * Bench state for the page: the last tick and the rates. Published at once when a state changes, and four times a
 * second while only counters change. Components read it with `useBenchStatus`; raw ticks are for blinking and
 * painting parts.
 */
import { type ByPort, byPort, portNumbers } from '@wirebench/serial';
import { useMemo, useSyncExternalStore } from 'react';
import { type BenchFacts, type BenchTick, idleTick, lostTick, sameFacts } from '../protocol/bench/bench-tick.ts';
import { paintStep } from '../shared/paint-step.ts';
import { sameShallow } from '../shared/same-shallow.ts';

/** Time between two looks at counters, in milliseconds. */
const counterInterval = 250;

/** Time that a rate is averaged over, in milliseconds. */
const rateSpan = 1_000;

interface Rate {
  /** Per second. */
  readonly now: number;
  readonly peak: number;
}

/** Counters → rates: the average over about the last second, and the highest since the counter last started over. */
const noRate: Rate = { now: 0, peak: 0 };

export class RateMeter {
  #samples: { readonly at: number; readonly count: number }[] = [];
  #rate = noRate;

  get rate(): Rate {
    return this.#rate;
  }

  /** @param at milliseconds, never going back. */
  sample(count: number, at: number): Rate {
    const last = this.#samples.at(-1);
    if (last !== undefined && count < last.count) {
      this.#samples = [];
      this.#rate = noRate;
    }
    this.#samples.push({ at, count });
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - rateSpan) {
      this.#samples.shift();
    }
    this.#measure();
    return this.#rate;
  }

  #measure(): void {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) {
      return;
    }
    // A burst shorter than the span is not blown up to a rate that never was.
    const now = ((last.count - first.count) * 1_000) / Math.max(rateSpan, last.at - first.at);
    const peak = Math.max(this.#rate.peak, now);
    if (now !== this.#rate.now || peak !== this.#rate.peak) {
      this.#rate = { now, peak };
    }
  }
}

interface PortRates {
  /** Bytes a second. */
  readonly received: Rate;
  readonly sent: Rate;
}

export interface BenchView extends BenchFacts {
  readonly rates: ByPort<PortRates>;
}

export class BenchStatusStore {
  #tick = idleTick;
  #view: BenchView = { ...idleTick, rates: byPort(() => ({ received: noRate, sent: noRate })) };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #publishedAt = Number.NEGATIVE_INFINITY;
  readonly #meters = byPort(() => ({ received: new RateMeter(), sent: new RateMeter() }));
  readonly #tickListeners = new Set<(tick: BenchTick) => void>();
  readonly #viewListeners = new Set<() => void>();

  get view(): BenchView {
    return this.#view;
  }

  /** The newest tick, of which the view may be behind. */
  get tick(): BenchTick {
    return this.#tick;
  }

  accept(tick: BenchTick): void {
    const urgent = !sameFacts(this.#tick, tick);
    this.#tick = tick;
    for (const listener of this.#tickListeners) {
      listener(tick);
    }
    if (urgent || performance.now() - this.#publishedAt >= counterInterval) {
      this.#publish();
    } else {
      this.#publishIn(counterInterval);
    }
  }

  /** The bench is gone: its ports are closed and nothing goes on any more. What is counted and shown of the log stays. */
  lose(): void {
    this.accept(lostTick(this.#tick));
  }

  /** Every tick, up to 60 a second: for what works outside of React. */
  readonly onTick = (listener: (tick: BenchTick) => void): (() => void) => {
    this.#tickListeners.add(listener);
    return () => this.#tickListeners.delete(listener);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  };

  /** Leaves alone what is due sooner. */
  #publishIn(delay: number): void {
    const dueAt = performance.now() + delay;
    if (dueAt < this.#dueAt) {
      this.#dueAt = dueAt;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#publish(), delay);
    }
  }

  #publish(): void {
    this.#publishedAt = performance.now();
    this.#dueAt = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    const rates = this.#measure();
    this.#view = { ...this.#tick, rates };
    // Without traffic there are no ticks: the rates must be looked at until they have fallen to nothing. With traffic the
    // next tick comes first.
    if (portNumbers.some((port) => rates[port].received.now > 0 || rates[port].sent.now > 0)) {
      this.#publishIn(counterInterval + paintStep);
    }
    for (const listener of this.#viewListeners) {
      listener();
    }
  }

  #measure(): BenchView['rates'] {
    const now = performance.now();
    return byPort((port) => {
      const { received, sent } = this.#tick.status.ports[port];
      const meters = this.#meters[port];
      const next = { received: meters.received.sample(received, now), sent: meters.sent.sample(sent, now) };
      const last = this.#view.rates[port];
      return sameShallow(last, next) ? last : next;
    });
  }
}

/** The page's one store: it exists before there is a bench, and then says that nothing is open. */
export const benchStatus = new BenchStatusStore();

/** A part of the view. The component renders again only when that part changes, compared by its fields. */
export function useBenchStatus<Part>(select: (view: BenchView) => Part): Part {
  const read = useMemo(() => {
    let part: { readonly value: Part } | null = null;
    return () => {
      const value = select(benchStatus.view);
      part = part !== null && sameShallow(part.value, value) ? part : { value };
      return part.value;
    };
  }, [select]);
  return useSyncExternalStore(benchStatus.subscribe, read);
}
