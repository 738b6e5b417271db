/** The voltages that were sampled, pin by pin, for as long as the page lives: what the plot shows. */
import { createStore } from 'zustand/vanilla';
import type { AdcSample } from '../../../workbench/lab/lab-protocol.ts';

/** Samples kept of a pin; the oldest half goes when there are more. */
const most = 20_000;

export interface SampledPin {
  readonly gpio: number;
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: number[];
  readonly raw: number[];
  readonly volts: number[];
}

const pins = new Map<number, SampledPin>();

/** Counts up with every sample: what was sampled is too much to be state. */
export const sampleStore = createStore<{ readonly revision: number }>(() => ({ revision: 0 }));

export function addSamples(samples: readonly AdcSample[]): void {
  for (const { gpio, at, raw, volts } of samples) {
    const pin = pins.get(gpio) ?? { gpio, times: [], raw: [], volts: [] };
    pins.set(gpio, pin);
    pin.times.push(at);
    pin.raw.push(raw);
    pin.volts.push(volts);
    if (pin.times.length > most) {
      for (const column of [pin.times, pin.raw, pin.volts]) {
        column.splice(0, most / 2);
      }
    }
  }
  if (samples.length > 0) {
    sampleStore.setState(({ revision }) => ({ revision: revision + 1 }));
  }
}

/** In the order in which they were first sampled. */
export function sampledPins(): readonly SampledPin[] {
  return [...pins.values()];
}

export function forgetSamples(): void {
  pins.clear();
  sampleStore.setState(({ revision }) => ({ revision: revision + 1 }));
}
