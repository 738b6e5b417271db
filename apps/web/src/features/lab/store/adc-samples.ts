/** Sampled voltages of each pin for the plot, kept as long as the page. */
import type { AdcSample } from '../../../protocol/lab-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';

/**
 * Maximum number of samples of all pins together: 28 MB, eleven hours of one pin at 50 a second, or 83 minutes of
 * eight. Beyond it, the oldest eighth of the pin with the most samples is dropped.
 */
export const maxSamples = 2_000_000;

const firstRoom = 1_024;

export interface SampledPin {
  readonly gpio: number;
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: Float64Array;
  readonly raw: Uint16Array;
  readonly volts: Float32Array;
}

/** Samples of one pin in growing arrays. */
class SampleColumns {
  readonly gpio: number;
  #times = new Float64Array(firstRoom);
  #raw = new Uint16Array(firstRoom);
  #volts = new Float32Array(firstRoom);
  #count = 0;

  constructor(gpio: number) {
    this.gpio = gpio;
  }

  get count(): number {
    return this.#count;
  }

  add({ at, raw, volts }: AdcSample): void {
    if (this.#count === this.#times.length) {
      this.#times = grown(this.#times, Float64Array);
      this.#raw = grown(this.#raw, Uint16Array);
      this.#volts = grown(this.#volts, Float32Array);
    }
    this.#times[this.#count] = at;
    this.#raw[this.#count] = raw;
    this.#volts[this.#count] = volts;
    this.#count++;
  }

  drop(oldest: number): void {
    for (const column of [this.#times, this.#raw, this.#volts]) {
      column.copyWithin(0, oldest, this.#count);
    }
    this.#count -= oldest;
  }

  get samples(): SampledPin {
    return {
      gpio: this.gpio,
      times: this.#times.subarray(0, this.#count),
      raw: this.#raw.subarray(0, this.#count),
      volts: this.#volts.subarray(0, this.#count),
    };
  }
}

function grown<Column extends Float64Array | Float32Array | Uint16Array>(
  column: Column,
  Kind: new (length: number) => Column,
): Column {
  const larger = new Kind(2 * column.length);
  larger.set(column);
  return larger;
}

const pins = new Map<number, SampleColumns>();

interface SamplesState {
  /** Increases with every sample, because the samples themselves are too many for state. */
  readonly revision: number;
  /** Number of samples no longer kept. */
  readonly dropped: number;
}

const sampleStore = pageStore<SamplesState>({ revision: 0, dropped: 0 });

export const { getState: samplesNow, subscribe: onSamplesChange } = sampleStore;

export const useSamples = sampleStore.use;

/** @param most Maximum number of samples to keep. */
export function addSamples(samples: readonly AdcSample[], most = maxSamples): void {
  if (samples.length === 0) {
    return;
  }
  for (const sample of samples) {
    const pin = pins.get(sample.gpio) ?? new SampleColumns(sample.gpio);
    pins.set(sample.gpio, pin);
    pin.add(sample);
  }
  let dropped = 0;
  for (let kept = countOf(pins.values()); kept > most; kept = countOf(pins.values())) {
    const longest = [...pins.values()].reduce((one, other) => (other.count > one.count ? other : one));
    const oldest = Math.ceil(longest.count / 8);
    longest.drop(oldest);
    dropped += oldest;
  }
  sampleStore.setState((state) => ({ revision: state.revision + 1, dropped: state.dropped + dropped }));
}

const countOf = (columns: Iterable<SampleColumns>) => [...columns].reduce((sum, { count }) => sum + count, 0);

/** Returns the pins in the order in which they were first sampled. */
export function sampledPins(): readonly SampledPin[] {
  return [...pins.values()].map(({ samples }) => samples);
}

export function forgetSamples(): void {
  pins.clear();
  sampleStore.setState(({ revision }) => ({ revision: revision + 1, dropped: 0 }));
}
