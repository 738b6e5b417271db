/** The tables against their source documents: allowed use of pins, limits of the link, pull pads. */
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
    expect(chip.limits).toMatchObject({ list: 384, pipelinedList: 14, bytesBehind, readsInFlight: 8 });
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

/**
 * Technical Reference Manuals, chapters "IO_MUX and GPIO Matrix", "Register Summary". The ESP32's offsets are in the
 * order of its pad list.
 */
const ioMuxOffsets = {
  esp32: [
    ...[36, 0x04, 37, 0x08, 38, 0x0c, 39, 0x10, 34, 0x14, 35, 0x18, 32, 0x1c, 33, 0x20, 25, 0x24, 26, 0x28, 27, 0x2c],
    ...[14, 0x30, 12, 0x34, 13, 0x38, 15, 0x3c, 2, 0x40, 0, 0x44, 4, 0x48, 16, 0x4c, 17, 0x50, 9, 0x54, 10, 0x58],
    ...[11, 0x5c, 6, 0x60, 7, 0x64, 8, 0x68, 5, 0x6c, 18, 0x70, 19, 0x74, 21, 0x7c, 22, 0x80, 3, 0x84, 1, 0x88],
    ...[23, 0x8c],
  ],
  esp32c3: [
    ...[0, 0x04, 1, 0x08, 2, 0x0c, 3, 0x10, 4, 0x14, 5, 0x18, 6, 0x1c, 7, 0x20, 8, 0x24, 9, 0x28, 10, 0x2c],
    ...[11, 0x30, 12, 0x34, 13, 0x38, 14, 0x3c, 15, 0x40, 16, 0x44, 17, 0x48, 18, 0x4c, 19, 0x50, 20, 0x54, 21, 0x58],
  ],
} as const;

it.each([
  ['esp32', 0x3ff4_9000],
  ['esp32c3', 0x6000_9000],
] as const)('%s has the IO_MUX register of each pin where the manual has it', (name, base) => {
  const offsets = new Map(labChip(name).pins.map(({ gpio, ioMux }) => [gpio, ioMux - base]));
  const listed = ioMuxOffsets[name];
  expect(offsets).toEqual(new Map(range(0, listed.length / 2 - 1).map((at) => [listed[2 * at], listed[2 * at + 1]])));
});

/**
 * Technical Reference Manuals, DPORT_PERIP_CLK_EN_REG and SYSTEM_PERIP_CLK_EN0_REG. These gates are open after a
 * reset, so no recorded sequence would reveal a wrong bit.
 */
it.each(['esp32', 'esp32c3'] as const)(
  '%s has UART1, SPI2 and the memory of the UARTs at their clock gates',
  (name) => {
    expect(labChip(name).gates.bits).toMatchObject({ uart1: 5, spi2: 6, uartMemory: 24 });
    expect(labChip(name).gates.enableOnly).toEqual([24]);
  },
);
