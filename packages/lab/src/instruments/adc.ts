/** Analog levels from ADC1 as 12-bit raw values. No calibration is used, so volts are approximate. */
import type { ChannelEntry, LabChip } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { gateEntries, usablePin } from './routing.ts';

export interface AdcSample {
  /** 0 to 4,095. */
  readonly raw: number;
  /** Approximate: based on the chip's nominal range at its highest attenuation. */
  readonly volts: number;
}

/** Pull-down, pull-up and input enable: bits 7 to 9 of IO_MUX. */
const digitalBits = 0x380;
const RESOLUTION = 4095;
/** Maximum reads of the done bit. On a fast link the first reads may be too early. */
const TRIES = 5;

/**
 * Releases the pin from its digital functions and sets the converter up.
 *
 * @throws LabError `refused` for a pin without a channel of ADC1.
 */
export function adcUp(chip: LabChip, gpio: number): Macro<void> {
  channelOf(chip, gpio);
  const { adc } = chip;
  const pad = adc.pads[gpio];
  return setting(`ADC: GPIO ${gpio}`, [
    entry(usablePin(chip, gpio).ioMux, 0, { mask: digitalBits }),
    ...(pad === undefined ? [] : [entry(pad.address, 1 << pad.bit, { mask: 1 << pad.bit })]),
    ...(adc.gate === null ? [] : gateEntries(chip, [adc.gate])),
    ...adc.setUp,
  ]);
}

/** Converts once; needs `adcUp` of this pin before. Its value is null if the converter did not finish in time. */
export function adcSample(chip: LabChip, gpio: number): Macro<AdcSample | null> {
  const channel = channelOf(chip, gpio);
  const { convert, done, value } = chip.adc;
  const oneWord = done.address === value.address;
  return {
    title: `ADC: convert GPIO ${gpio}`,
    steps: [
      { kind: 'write', entries: convert.map((template) => withChannel(template, channel)) },
      { kind: 'poll', address: done.address, until: (word) => isSet(word, done.bit), tries: TRIES },
      ...(oneWord ? [] : [{ kind: 'read' as const, addresses: [value.address] }]),
    ],
    repeatable: true,
    value: (words) => {
      if (!isSet(wordAt(words, 0), done.bit)) {
        return null;
      }
      const raw = wordAt(words, oneWord ? 0 : 1) & value.mask;
      return { raw, volts: adcVolts(chip, raw) };
    },
  };
}

/**
 * Converts a raw value into approximate volts, by the nominal range.
 *
 * @param raw 0 to 4,095.
 */
export function adcVolts({ adc }: LabChip, raw: number): number {
  return (raw / RESOLUTION) * adc.fullScale;
}

function isSet(word: number, bit: number): boolean {
  return ((word >>> bit) & 1) === 1;
}

function withChannel({ channel: place, ...template }: ChannelEntry, channel: number): RegisterEntry {
  if (place === undefined) {
    return template;
  }
  const bits = place.as === 'bit' ? 1 << (place.shift + channel) : channel << place.shift;
  return { ...template, value: (template.value | bits) >>> 0 };
}

function channelOf(chip: LabChip, gpio: number): number {
  const { adcChannel } = usablePin(chip, gpio);
  if (adcChannel === null) {
    throw refused(`GPIO ${gpio} is not connected to ADC1.`);
  }
  return adcChannel;
}
