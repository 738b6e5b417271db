/** Voltages of the pins that a person samples: one by one through the boot ROM, as a stream once the program in RAM runs. */
import { adcSample, adcVolts } from '@wirebench/lab';
import type { Probe } from '@wirebench/lab/probe';
import type { AdcSample } from '../lab-protocol.ts';
import type { InstrumentParts } from './instrument-parts.ts';
import { repeat } from './repeat.ts';

/** Milliseconds between two samples of a pin. */
const samplePause = 20;
/** Milliseconds in one frame of the program: what is shown is not older. */
const frameTime = 40;
/** Milliseconds until a stream that ended by a fault is begun again. */
const faultPause = 1_000;

export class LabAdc {
  readonly #parts: InstrumentParts;
  #samples: AdcSample[] = [];

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  /** What was sampled since it was taken the last time. */
  take(): readonly AdcSample[] {
    return this.#samples.splice(0);
  }

  /** Until the board is gone. */
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
        this.#add([{ gpio, at: clock.now(), ...sample }]);
      }
    }
  }

  /** Until other pins are sampled. */
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
          const now = clock.now();
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
