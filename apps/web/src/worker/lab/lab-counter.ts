/**
 * Counts the edges of a pin, and measures their period. Both only listen: an unused pin becomes an input, and a pin
 * of another instrument keeps its setting.
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
import { type CounterTick, type EdgeCounter, edgeNames } from '../../protocol/lab-protocol.ts';
import { InOrder } from './in-order.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { repeat } from './repeat.ts';

/**
 * Time between two reads of the count, in milliseconds. Signals of up to about 650,000 edges a second are counted
 * completely.
 */
const countPause = 50;
/** Time between two measurements of the period, in milliseconds. */
const periodPause = 500;
/** Pause before the next attempt after a failure, in milliseconds. */
const faultPause = 1_000;
/** Fraction of the counter's range. With more edges between two reads, it may have wrapped more than once. */
const safeShare = 0.9;

interface Counting {
  readonly counter: EdgeCounter;
  count: number;
  isPartial: boolean;
  /** Last value of the chip's counter, and its time. */
  seen: number;
  seenAt: number;
  period: EdgePeriod | null;
  isTimed: boolean;
}

export class LabCounter {
  readonly #parts: InstrumentParts;
  #counting: Counting | null = null;
  /** The loops that read the count and time edges. */
  #service: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;
  /** `#changes` orders opening, resetting and closing. `#reads` keeps a read of the count within one counting. */
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

  /** Starts at 0, on another pin or with other edges. */
  open(counter: EdgeCounter): Promise<void> {
    return this.#changes.run(() => this.#open(counter));
  }

  /** @throws LabError `refused` if no counter is open. */
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

  /** @throws LabError `refused` while this pin is counted, because its digital input would be turned off. */
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
    // If opening fails, the counter that was open before continues.
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
      const maxExpected =
        period === null ? 0 : ((at - seenAt) * 1e6 * (counter.edges === 'both' ? 2 : 1)) / period.shortest;
      const isPartial = counting.isPartial || maxExpected > safeShare * countRound(lab.chip);
      const isNews = edges > 0 || isPartial !== counting.isPartial;
      Object.assign(counting, { count: counting.count + edges, isPartial, seen: now, seenAt: at });
      if (isNews) {
        onChange();
      }
    });
  }

  /** Measures with the first range that is slow enough. */
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

/** Formats a count: `1234 rising edges`. */
function said({ counter, count, isPartial }: Counting): string {
  return `${isPartial ? 'at least ' : ''}${count} ${edgeNames[counter.edges]}`;
}
