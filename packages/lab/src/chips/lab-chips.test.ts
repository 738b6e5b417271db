/** The tables against the documents that they were taken from: pins by what may be done with them, limits of the link, pull pads. */
import { describe, expect, it } from 'vitest';
import { pinRule } from '../instruments/pins.ts';
import { labChip } from './lab-chips.ts';

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe.each([
  {
    name: 'esp32',
    last: 39,
    locked: [1, 3, ...range(6, 11)],
    warn: [0, 2, 5, 12, 15, 16, 17],
    'input-only': range(34, 39),
    absent: [20, 24, ...range(28, 31)],
    bytesBehind: 224,
    channels: [36, 37, 38, 39, 32, 33, 34, 35],
  },
  {
    name: 'esp32c3',
    last: 21,
    locked: [...range(11, 17), 20, 21],
    warn: [2, 8, 9, 18, 19],
    'input-only': [],
    absent: [],
    bytesBehind: 1_792,
    channels: range(0, 4),
  },
] as const)('the table of the $name', ({ name, last, bytesBehind, channels, ...kinds }) => {
  const chip = labChip(name);

  it.each(['locked', 'warn', 'input-only', 'absent'] as const)('has the pins that are %s', (kind) => {
    expect(range(0, last).filter((gpio) => pinRule(chip, gpio).kind === kind)).toEqual(kinds[kind]);
  });

  it('has no pin behind its last', () => {
    expect(pinRule(chip, last + 1).kind).toBe('absent');
  });

  it('keeps to what the receive ring of the ROM holds', () => {
    expect(chip.limits).toEqual({ list: 384, pipelinedList: 14, bytesBehind, readsInFlight: 8 });
  });

  it('has the channels of ADC1 at their pins', () => {
    const pins = chip.pins.filter(({ adcChannel }) => adcChannel !== null);
    expect(
      pins.toSorted((one, other) => (one.adcChannel ?? 0) - (other.adcChannel ?? 0)).map(({ gpio }) => gpio),
    ).toEqual(channels);
  });
});

it('the ESP32-C3 on its own USB has 18 and 19 locked, and 20 and 21 free', () => {
  const chip = labChip('esp32c3', { link: 'usb-jtag' });
  expect([18, 19, 20, 21].map((gpio) => pinRule(chip, gpio).kind)).toEqual(['locked', 'locked', 'free', 'free']);
});

it.each([
  ...[
    [4, 0x94],
    [0, 0x98],
    [2, 0x9c],
    [15, 0xa0],
    [13, 0xa4],
    [12, 0xa8],
    [14, 0xac],
    [27, 0xb0],
  ].map(([gpio = 0, offset = 0]) => [gpio, offset, 27, 28, 19] as const),
  [25, 0x84, 27, 28, 17],
  [26, 0x88, 27, 28, 17],
  [32, 0x8c, 22, 23, 17],
  [33, 0x8c, 27, 28, 18],
] as const)('GPIO %d of the ESP32 has its pulls at RTC pad %x', (gpio, offset, up, down, rtcFunction) => {
  const pin = labChip('esp32').pins.find((one) => one.gpio === gpio);
  expect(pin?.pad).toEqual({ address: 0x3ff4_8400 + offset, up, down, rtcFunction });
});
