/** PWM by LEDC: low-speed channel 0 on timer 0, clocked by the crystal. */
import type { LabChip } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting } from '../macro.ts';
import { gateEntries, outputEntries, signalEntries } from './routing.ts';

export interface PwmSettings {
  readonly pin: number;
  /** Hz, 5 to 5,000,000. */
  readonly frequency: number;
  /** 0 to 1. */
  readonly duty: number;
}

/** Timing that LEDC achieves for a requested frequency. */
export interface PwmTiming {
  /** Bits of the duty cycle: 13 up to 4.8 kHz, fewer above. */
  readonly resolution: number;
  /** Divisor of the crystal in 256ths. */
  readonly divisor: number;
  /** Hz. */
  readonly frequency: number;
}

const pwmFrequencies = { lowest: 5, highest: 5_000_000 } as const;

const finestResolution = 13;
const lowestDivisor = 0x100;
/** Offsets from a channel's first register. */
const channelOffsets = { config0: 0, highPoint: 4, duty: 8, config1: 0xc } as const;
/** Starts the duty cycle without fading: one step of one cycle, upwards (TRM, `LEDC_CHn_CONF1_REG`). */
const dutyStart = 0xc010_0400;
const outputEnable = { value: 4, mask: 0xf } as const;
const takeOver = 0x10;

/**
 * Returns the nearest frequency that LEDC can make.
 *
 * @throws LabError `refused` for a frequency out of range.
 */
export function pwmTiming(chip: LabChip, frequency: number): PwmTiming {
  if (!(frequency >= pwmFrequencies.lowest && frequency <= pwmFrequencies.highest)) {
    throw refused('PWM frequencies are 5 Hz to 5 MHz.');
  }
  const clock = chip.crystal * 1e6;
  const divisorFor = (bits: number) => Math.round((clock * 256) / frequency / 2 ** bits);
  let resolution = finestResolution;
  while (resolution > 1 && divisorFor(resolution) < lowestDivisor) {
    resolution--;
  }
  const divisor = divisorFor(resolution);
  return { resolution, divisor, frequency: (clock * 256) / divisor / 2 ** resolution };
}

/**
 * Starts PWM on a pin.
 *
 * @throws LabError `refused` for an invalid pin, frequency or duty cycle.
 */
export function pwmOn(chip: LabChip, { pin, frequency, duty }: PwmSettings): Macro<void> {
  const { ledc } = chip;
  const { resolution, divisor } = pwmTiming(chip, frequency);
  const timer = ((divisor << ledc.divisorShift) | resolution | ledc.timerFlags) >>> 0;
  return setting(`PWM: GPIO ${pin}, ${frequency} Hz, ${percent(duty)}`, [
    ...gateEntries(chip, ['ledc']),
    ...outputEntries(chip, pin, { high: false }),
    entry(ledc.config.address, ledc.config.value, { mask: ledc.config.mask }),
    entry(ledc.timer, timer | ledc.timerReset),
    entry(ledc.timer, timer),
    entry(ledc.timer, ledc.timerTakeOver, { mask: ledc.timerTakeOver }),
    ...dutyEntries(chip, resolution, duty),
    ...signalEntries(chip, pin, ledc.signal),
  ]);
}

function dutyEntries({ ledc }: LabChip, resolution: number, duty: number): RegisterEntry[] {
  if (!(duty >= 0 && duty <= 1)) {
    throw refused('A duty cycle is 0 to 100 %.');
  }
  const at = (offset: number) => ledc.channel + offset;
  return [
    entry(at(channelOffsets.highPoint), 0),
    // The lowest four bits are the fraction.
    entry(at(channelOffsets.duty), Math.round(duty * 2 ** resolution) << 4),
    entry(at(channelOffsets.config1), dutyStart),
    entry(at(channelOffsets.config0), outputEnable.value, { mask: outputEnable.mask }),
    entry(at(channelOffsets.config0), takeOver, { mask: takeOver }),
  ];
}

function percent(duty: number): string {
  return `${Math.round(duty * 1000) / 10} %`;
}
