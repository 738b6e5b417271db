/**
 * The counter of edges of a board, and the period of what it counts. Both listen to a pin: one that nobody uses becomes an input, one of
 * another instrument stays as that has set it.
 */
import {
  beginPeriod,
  countEdges,
  countRound,
  type EdgePeriod,
  edgeCount,
  edgesBetween,
  LabError,
  periodRanges,
  resetEdgeCount,
  stopCounting,
  takePeriod,
} from '@wirebench/lab';
import { type CounterTick, type EdgeCounter, edgeNames } from '../lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { repeat } from './repeat.ts';

/** Milliseconds between two reads of the count: a signal of some 650,000 edges a second is counted whole. */
const countPause = 50;
/** Milliseconds between two measurements of the period. */
const periodPause = 500;
/** Milliseconds until it is tried again after a failure. */
const faultPause = 1_000;
/** Of a round of the counter: above that it may have gone round more than once between two reads. */
const safeShare = 0.9;

interface Counting {
  readonly counter: EdgeCounter;
  count: number;
  isPartial: boolean;
  /** What the counter itself said last, and when. */
  seen: number;
  seenAt: number;
  period: EdgePeriod | null;
  isTimed: boolean;
}

export class LabCounter {
  readonly #parts: InstrumentParts;
  #counting: Counting | null = null;
  /** What reads the count and times edges. */
  #service: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;
  /** Opening, resetting and closing; a read of the count belongs to one counting alone. */
  readonly #changes = new InOrder();
  readonly #reads = new InOrder();

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  tick(): CounterTick | null {
    if (this.#counting === null) {
      return null;
    }
    const { counter, count, isPartial, period, isTimed } = this.#counting;
    return { ...counter, count, isPartial, period, isTimed };
  }

  /** Of another pin, or of other edges: from 0. */
  open(counter: EdgeCounter): Promise<void> {
    return this.#changes.run(() => this.#open(counter));
  }

  /** @throws LabError `refused` when nothing is counted. */
  reset(): Promise<void> {
    return this.#changes.run(() =>
      this.#reads.run(async () => {
        const { lab, clock, log, onChange } = this.#parts;
        const counting = this.#counting;
        if (counting === null) {
          throw new LabError('refused', { detail: 'Nothing is counted.' });
        }
        await lab.run(resetEdgeCount(lab.chip));
        log.wrote(`COUNT ${counting.counter.pin} reset at ${said(counting)}`);
        Object.assign(counting, { count: 0, isPartial: false, seen: 0, seenAt: clock.now() });
        onChange();
      }),
    );
  }

  close(): Promise<void> {
    return this.#changes.run(() => this.#close());
  }

  /** @throws LabError `refused` while this pin is listened to: its digital input would be off. */
  checkAnalog(gpio: number): void {
    if (this.#counting?.counter.pin === gpio) {
      throw new LabError('refused', { detail: `GPIO ${gpio} is counted. Close the counter first.` });
    }
  }

  async #open(counter: EdgeCounter): Promise<void> {
    const { lab, owners, release, look, log, clock, onChange } = this.#parts;
    const { pin, edges } = counter;
    const owner = owners.get(pin)?.owner ?? null;
    if (owner === 'adc') {
      owners.check(pin, 'counter');
    }
    const isShared = owner !== null && owner !== 'counter';
    const macro = countEdges(lab.chip, { pin, edges, isShared });
    const giveBack = isShared
      ? () => undefined
      : owners.take([{ gpio: pin, owner: 'counter', label: 'CNT', use: null }]);
    // One that was open before goes on where this fails.
    await this.#stop();
    try {
      await lab.run(macro);
    } catch (error) {
      giveBack();
      if (this.#counting !== null) {
        this.#start(this.#counting);
      }
      throw error;
    }
    this.#counting = {
      counter,
      count: 0,
      isPartial: false,
      seen: 0,
      seenAt: clock.now(),
      period: null,
      isTimed: false,
    };
    log.wrote(`COUNT ${pin}, ${edgeNames[edges]}`);
    this.#start(this.#counting);
    await release(owners.of('counter').flatMap(({ gpio }) => (gpio === pin && !isShared ? [] : [gpio])));
    await look([pin]);
    onChange();
  }

  async #close(): Promise<void> {
    const { lab, owners, release, log, onChange } = this.#parts;
    const counting = this.#counting;
    if (counting === null) {
      return;
    }
    await this.#stop();
    this.#counting = null;
    await lab.run(stopCounting(lab.chip));
    log.read(`COUNT ${counting.counter.pin} · ${said(counting)}, closed`);
    await release(owners.of('counter').map(({ gpio }) => gpio));
    onChange();
  }

  #start(counting: Counting): void {
    const { lab, clock } = this.#parts;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, lab.over]);
    const ended = Promise.all([
      repeat(() => this.#read(counting), { clock, signal, pause: countPause, faultPause }),
      repeat(() => this.#time(counting, signal), { clock, signal, pause: periodPause, faultPause }),
    ]);
    this.#service = { stop, ended };
  }

  async #stop(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    service?.stop.abort();
    await service?.ended;
  }

  #read(counting: Counting): Promise<void> {
    return this.#reads.run(async () => {
      const { lab, clock, onChange } = this.#parts;
      const now = await lab.run(edgeCount(lab.chip), { priority: 'background' });
      const at = clock.now();
      const { seen, seenAt, counter, period } = counting;
      const edges = edgesBetween(lab.chip, seen, now);
      const mostExpected =
        period === null ? 0 : ((at - seenAt) * 1e6 * (counter.edges === 'both' ? 2 : 1)) / period.shortest;
      const isPartial = counting.isPartial || mostExpected > safeShare * countRound(lab.chip);
      const isNews = edges > 0 || isPartial !== counting.isPartial;
      Object.assign(counting, { count: counting.count + edges, isPartial, seen: now, seenAt: at });
      if (isNews) {
        onChange();
      }
    });
  }

  /** By the first range that is slow enough. */
  async #time(counting: Counting, signal: AbortSignal): Promise<void> {
    const { lab, clock, onChange } = this.#parts;
    let period: EdgePeriod | null = null;
    for (const range of periodRanges) {
      await lab.run(beginPeriod(lab.chip, counting.counter.pin, range), { priority: 'background' });
      await clock.sleep(range.gate, signal).catch(() => undefined);
      if (signal.aborted) {
        return;
      }
      period = await lab.run(takePeriod(lab.chip, range), { priority: 'background' });
      if (period !== null) {
        break;
      }
    }
    Object.assign(counting, { period, isTimed: true });
    onChange();
  }
}

/** `1234 rising edges`. */
function said({ counter, count, isPartial }: Counting): string {
  return `${isPartial ? 'at least ' : ''}${count} ${edgeNames[counter.edges]}`;
}
