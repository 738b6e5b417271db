/**
 * Samples the voltages of the chosen pins: one by one through the boot ROM, or as a stream once the program in RAM
 * runs.
 */
import { adcSample, adcVolts } from '@wirebench/lab';
import type { Probe } from '@wirebench/lab/probe';
import type { AdcSample } from '../../protocol/lab-protocol.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { repeat } from './repeat.ts';

/** Time between two samples of a pin, in milliseconds. */
const samplePause = 20;
/** Duration of one frame of the program, in milliseconds. Displayed samples are at most this old. */
const frameTime = 40;
/** Pause before a failed stream is started again, in milliseconds. */
const faultPause = 1_000;

export class LabAdc {
  readonly #parts: InstrumentParts;
  #samples: AdcSample[] = [];

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  /** Returns the samples since the last call, and removes them. */
  take(): readonly AdcSample[] {
    return this.#samples.splice(0);
  }

  /** Samples until the board is gone. */
  run(): Promise<void> {
    const { lab, probe, clock, owners } = this.#parts;
    const sample = async () => {
      const { running } = probe;
      if (running === null) {
        await this.#sampleOnce();
      } else if (owners.of('adc').length > 0) {
        await this.#stream(running);
      }
    };
    return repeat(sample, { clock, signal: lab.over, pause: samplePause, faultPause });
  }

  async #sampleOnce(): Promise<void> {
    const { lab, owners, clock } = this.#parts;
    for (const { gpio } of owners.of('adc')) {
      const sample = await lab.run(adcSample(lab.chip, gpio), { priority: 'background' });
      if (sample !== null) {
        this.#add([{ gpio, at: clock.wallTime(), ...sample }]);
      }
    }
  }

  /** Streams until other pins are chosen. */
  async #stream(probe: Probe): Promise<void> {
    const { lab, owners, clock } = this.#parts;
    const pinsNow = () => owners.of('adc').map(({ gpio }) => gpio);
    const pins = pinsNow();
    const channels = pins.map((pin) => lab.chip.pins.find(({ gpio }) => gpio === pin)?.adcChannel ?? 0);
    const others = new AbortController();
    const signal = AbortSignal.any([others.signal, lab.over]);
    const period = samplePause / pins.length;
    const streaming = probe.stream({
      adc: {
        period: period * 1_000,
        batch: Math.round(frameTime / period),
        channels,
        onSamples: ({ samples }) => {
          const now = clock.wallTime();
          this.#add(
            samples.flatMap(({ channel, raw }, index) => {
              const gpio = pins[channels.indexOf(channel)];
              const at = now - (samples.length - 1 - index) * period;
              return raw === null || gpio === undefined ? [] : [{ gpio, at, raw, volts: adcVolts(lab.chip, raw) }];
            }),
          );
        },
      },
      signal,
    });
    const watching = (async () => {
      while (!signal.aborted && pinsNow().join() === pins.join()) {
        await clock.sleep(samplePause, signal).catch(() => undefined);
      }
      others.abort();
    })();
    await Promise.all([streaming.finally(() => others.abort()), watching]);
  }

  #add(samples: readonly AdcSample[]): void {
    if (samples.length > 0) {
      this.#samples.push(...samples);
      this.#parts.onChange();
    }
  }
}
