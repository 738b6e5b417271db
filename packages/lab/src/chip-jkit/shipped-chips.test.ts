/** Each shipped description with numbers of its chip's data sheet. */

import { allChips } from '@wirebench/contract/chip-library';
import { checkChip, chipCategories } from '@wirebench/contract/chips';
import { describe, expect, it } from 'vitest';
import { describedChip, type ReadingResult } from './chip-jkit.ts';
import type { ChipJob, ChipTransfer } from './transfers.ts';

/** Bytes of a chip by address; an address may hold several. Missing addresses read as 0. */
type Memory = Readonly<Record<number, number | readonly number[]>>;

function chipNamed(name: string) {
  const found = allChips.find(({ content }) => content.name === name);
  const { content, faults } = checkChip(JSON.stringify(found?.content));
  expect(faults).toEqual([]);
  if (content === null) {
    throw new Error(name);
  }
  return { content, chip: describedChip(content, content.addresses[0] ?? null) };
}

/** Answers with auto-increment, or with the bytes listed for the address. */
function answersOf(transfers: readonly ChipTransfer[], memory: Memory, pointerSize: number, readBit = 0) {
  let pointer = 0;
  return transfers.map(({ write, read }) => {
    if (write.length >= pointerSize && pointerSize > 0) {
      pointer =
        write.slice(0, pointerSize).reduce((sum, byte) => sum * 256 + byte, 0) & ~(pointerSize === 1 ? readBit : 0);
    }
    const bytes = Array.from({ length: 64 }, (_, index) => memory[pointer + index] ?? 0).flat();
    return Uint8Array.from(bytes.slice(0, read));
  });
}

const run = <Result>({ transfers, value }: ChipJob<Result>, memory: Memory, pointerSize = 1): Result =>
  value(answersOf(transfers, memory, pointerSize));

const valuesOf = (results: readonly ReadingResult[]) =>
  Object.fromEntries(
    results.map((result) => [result.reading.name, 'value' in result ? result.value : result.failure] as const),
  );

function readingsOf(name: string, memory: Memory, pointerSize = 1) {
  const { chip } = chipNamed(name);
  return valuesOf(run(chip.cycle(run(chip.calibrate, memory, pointerSize)), memory, pointerSize));
}

const identified = (name: string, memory: Memory, pointerSize = 1) =>
  run(chipNamed(name).chip.identify, memory, pointerSize);

const word = (value: number) => [(value >> 8) & 0xff, value & 0xff];
const little = (value: number) => word(value).toReversed();
/** Makes a memory that holds the bytes from an address on. */
const from = (address: number, bytes: readonly number[]): Memory =>
  Object.fromEntries(bytes.map((byte, index) => [address + index, byte]));

describe('the chips that come with the product', () => {
  it('are sixteen or more, in all seven categories, each with an id and a name of its own', () => {
    expect(allChips.length).toBeGreaterThanOrEqual(16);
    expect(new Set(allChips.map(({ content }) => content.category))).toEqual(new Set(chipCategories));
    expect(new Set(allChips.map(({ id }) => id)).size).toBe(allChips.length);
    expect(new Set(allChips.map(({ content }) => content.name)).size).toBe(allChips.length);
  });

  it.each(allChips.map(({ content }) => content.name))('%s gives a value or a failure for any bytes at all', (name) => {
    const { content, chip } = chipNamed(name);
    for (const filler of [0x00, 0xff, 0x5a]) {
      const filled = ({ transfers, value }: ChipJob<unknown>) =>
        value(transfers.map(({ read }) => new Uint8Array(read).fill(filler)));
      const calibration = chip.calibrate.value(
        chip.calibrate.transfers.map(({ read }) => new Uint8Array(read).fill(filler)),
      );
      expect(filled(chip.cycle(calibration))).toHaveLength(content.readings.length);
      if (content.identification.length > 0) {
        expect(filled(chip.identify)).toBe('unlikely');
      } else {
        expect(filled(chip.identify)).toBe('possible');
      }
    }
  });
});

/** The worked example of BST-BMP280-DS001, section 3.12: calibration, raw values, results. */
const boschExample: Memory = {
  ...from(0x88, [27_504, 26_435, -1_000].flatMap(little)),
  ...from(0x8e, [36_477, -10_685, 3_024, 2_855, 140, -7, 15_500, -14_600, 6_000].flatMap(little)),
  ...from(0xf7, [415_148 >> 12, (415_148 >> 4) & 0xff, (415_148 & 15) << 4]),
  ...from(0xfa, [519_888 >> 12, (519_888 >> 4) & 0xff, (519_888 & 15) << 4]),
};

describe('BMP280', () => {
  it('is recognised, and reads the example of its data sheet to the last digit', () => {
    expect(identified('BMP280', { 208: 0x58 })).toBe('identified');
    expect(identified('BMP280', { 208: 0x60 })).toBe('unlikely');
    // In that example t_fine is 128422.287, and the results are 25.08 °C and 100653.27 Pa.
    const { Temperature, Pressure } = readingsOf('BMP280', boschExample);
    expect((Number(Temperature) * 5_120).toFixed(3)).toBe('128422.287');
    expect(Number(Temperature).toFixed(2)).toBe('25.08');
    expect((Number(Pressure) * 100).toFixed(2)).toBe('100653.27');
  });

  it('reads calibration and measurement with one transfer each', () => {
    const { chip } = chipNamed('BMP280');
    expect(chip.calibrate.transfers).toEqual([{ address: 0x76, write: Uint8Array.of(0x88), read: 24, delay: 0 }]);
    expect(chip.cycle(new Map()).transfers.map(({ write, read }) => [...write, read])).toContainEqual([0xf7, 6]);
  });
});

/**
 * `bme280_compensate_H_int32` of BST-BME280-DS002, section 4.2.3, in 32-bit arithmetic; the description uses 64 bits.
 */
function humidityOf(tFine: number, raw: number, h: readonly [number, number, number, number, number, number]): number {
  const [h1, h2, h3, h4, h5, h6] = h;
  const x = (tFine - 76_800) | 0;
  const left = ((((raw << 14) - (h4 << 20) - Math.imul(h5, x)) | 0) + 16_384) >> 15;
  const inner = Math.imul(Math.imul(x, h6) >> 10, (Math.imul(x, h3) >> 11) + 32_768) >> 10;
  const right = (Math.imul((inner + 2_097_152) | 0, h2) + 8_192) >> 14;
  const product = Math.imul(left, right);
  const corrected = (product - (Math.imul(Math.imul(product >> 15, product >> 15) >> 7, h1) >> 4)) | 0;
  return Math.min(Math.max(corrected, 0), 419_430_400) >> 12;
}

describe('BME280', () => {
  it('is recognised, and compensates as the code of its data sheet does', () => {
    expect(identified('BME280', { 208: 0x60 })).toBe('identified');
    for (const raw of [24_000, 30_281, 33_000]) {
      const [h1, h2, h3, h4, h5, h6] = [75, 362, 0, 313, 50, 30] as const;
      const memory: Memory = {
        ...boschExample,
        161: h1,
        ...from(0xe1, [...little(h2), h3, h4 >> 4, ((h5 & 15) << 4) | (h4 & 15), h5 >> 4, h6]),
        ...from(0xfd, word(raw)),
      };
      const { Temperature, Pressure, Humidity } = readingsOf('BME280', memory);
      expect(Temperature).toBe(25.08);
      // The data sheet's example in 64-bit integers, Q24.8: 100653.25 Pa.
      expect(Pressure).toBe(25_767_233 / 25_600);
      // t_fine from the example of BST-BMP280-DS001.
      expect(Humidity).toBe(humidityOf(128_422, raw, [h1, h2, h3, h4, h5, h6]) / 1_024);
      expect(Humidity).toBeGreaterThan(1);
    }
  });

  it('takes the nibbles of dig_H4 and dig_H5 with their signs', () => {
    const memory: Memory = { ...boschExample, ...from(0xe4, [0xff, 0x21, 0xfe]), ...from(0xfd, word(30_000)) };
    const { Humidity } = readingsOf('BME280', memory);
    expect(Humidity).toBe(humidityOf(128_422, 30_000, [0, 0, 0, -15, -30, 0]) / 1_024);
  });

  it('measures with one transfer of eight bytes', () => {
    const { chip } = chipNamed('BME280');
    const calibration = run(chip.calibrate, boschExample);
    expect(chip.calibrate.transfers.map(({ write, read }) => [...write, read])).toEqual([
      [0x88, 24],
      [0xa1, 1],
      [0xe1, 7],
    ]);
    expect(chip.cycle(calibration).transfers).toEqual([
      { address: 0x76, write: Uint8Array.of(0xf7), read: 8, delay: 0 },
    ]);
  });

  it('is set up in the order of section 5.4.3, after the reset has ended', () => {
    expect(chipNamed('BME280').chip.initialise.map(({ write, read, delay }) => [[...write], read, delay])).toEqual([
      [[0xe0, 0xb6], 0, 0],
      [[0xf2, 0x01], 0, 2_000],
      [[0xf5, 0x00], 0, 0],
      [[0xf4, 0x27], 0, 0],
    ]);
  });
});

describe('recognised by what its data sheet says', () => {
  it.each([
    ['MAX17048', from(0x08, word(0x0012)), 1],
    ['MPU-6050', { 117: 0x68 }, 1],
    ['VL53L0X', { 192: 0xee, 193: 0xaa }, 1],
    ['PCA9685', from(0x02, [0xe2, 0xe4, 0xe8, 0xe0]), 1],
    ['SGTL5000', from(0x0000, word(0xa011)), 2],
    ['ES8311', { 253: 0x83, 254: 0x11 }, 1],
    ['W25Q32JV', { 159: [0xef, 0x40, 0x16] }, 1],
  ] as const)('%s', (name, memory, pointerSize) => {
    expect(identified(name, memory as Memory, pointerSize)).toBe('identified');
    expect(identified(name, {}, pointerSize)).toBe('unlikely');
  });

  it.each(['INA219', 'AXP192', 'TMP105', 'LM75A', 'SHT31', 'BH1750FVI', 'ADS1115', 'SSD1306', 'PCF8574', 'DRV8830'])(
    '%s has nothing to be recognised by',
    (name) => {
      const { identify } = chipNamed(name).chip;
      expect(identify.transfers).toEqual([]);
      expect(identify.value([])).toBe('possible');
    },
  );
});

describe('readings from the numbers of the data sheets', () => {
  it.each([
    // SBOS448G, table 8 (11.98 V, 20 mV). Current and power use the calibration of the set-up.
    ['INA219', { 1: word(0x07d0), 2: word(0x5d98) }, 1, { 'Bus voltage': 11.98, 'Shunt voltage': 20 }],
    [
      'INA219',
      { 1: word(0xf830), 3: word(100), 4: word(1_000) },
      1,
      { 'Shunt voltage': -20, Current: 100, Power: 200 },
    ],
    // ADC table: FFFh is 4.5045 V, 6.9615 V, 264.8 °C.
    ['AXP192', from(0x78, [0xff, 0x0f]), 1, { 'Battery voltage': 4.5045 }],
    [
      'AXP192',
      from(0x5a, [0xff, 0x0f, 0xff, 0x0f, 0xff, 0x0f]),
      1,
      { 'USB voltage': 6.9615, 'Chip temperature': 264.8 },
    ],
    ['AXP192', from(0x7a, [0x00, 0x1f]), 1, { 'Charge current': 15.5, 'Chip temperature': -144.7 }],
    ['MAX17048', from(0x02, [...word(0xc000), ...word(0x5180)]), 1, { 'Cell voltage': 3.84, 'State of charge': 81.5 }],
    ['MAX17048', from(0x16, word(0xfff6)), 1, { 'Rate of charge': -2.08 }],
    // SLLS648D, table 5: 127.9375, 25, −0.25, −55 °C.
    ['TMP105', { 0: word(0x7ff0) }, 1, { Temperature: 127.9375 }],
    ['TMP105', { 0: word(0x1900), 3: word(0x5000) }, 1, { Temperature: 25, 'Upper limit': 80 }],
    ['TMP105', { 0: word(0xffc0) }, 1, { Temperature: -0.25 }],
    ['TMP105', { 0: word(0xc900) }, 1, { Temperature: -55 }],
    // LM75A, table 9: 127.000, 25.000 (0C8h), −0.125, −25.000 °C.
    ['LM75A', { 0: word(0x7f00) }, 1, { Temperature: 127 }],
    ['LM75A', { 0: word(0x0c8 << 5) }, 1, { Temperature: 25 }],
    ['LM75A', { 0: word(0x7ff << 5) }, 1, { Temperature: -0.125 }],
    ['LM75A', { 0: word(0x738 << 5) }, 1, { Temperature: -25 }],
    // Section 4.13: both ends of both scales.
    ['SHT31', { 9216: [0, 0, 0x81, 0, 0, 0x81] }, 2, { Temperature: -45, Humidity: 0 }],
    ['SHT31', { 9216: [0xff, 0xff, 0xac, 0xff, 0xff, 0xac] }, 2, { Temperature: 130, Humidity: 100 }],
    ['SHT31', { 9216: [0x66, 0x66, 0x93, 0x33, 0x33, 0x00] }, 2, { Temperature: 25, Humidity: 20 }],
    // "Measurement Sequence Example": 28067 lx.
    ['BH1750FVI', { 0: [0x83, 0x90] }, 0, { Illuminance: 28_066.7 }],
    // Reference manual, sections 4.17 to 4.19.
    [
      'MPU-6050',
      from(0x3b, [...word(16_384), ...word(-8_192), 0, 0, ...word(-521), ...word(131)]),
      1,
      { 'Acceleration x': 1, 'Acceleration y': -0.5, 'Rotation x': 1, Temperature: 34.998 },
    ],
    // Table 3 and the figure of the code: full scale is 7FFFh.
    ['ADS1115', { 0: word(0x4000), 1: word(0x4283) }, 1, { Voltage: 2.048 }],
    ['ADS1115', { 0: word(0x7fff), 1: word(0x8583) }, 1, { Voltage: 2.047_937 }],
    ['ADS1115', { 0: word(0x8000), 1: word(0x0183) }, 1, { Voltage: -6.144 }],
    ['ADS1115', { 0: word(0x4000), 1: word(0x0f83) }, 1, { Voltage: 0.128 }],
    // Section 8.1.5: D6 is 1 while the display is off.
    ['SSD1306', { 0: 0x40 }, 0, { 'Display on': 0 }],
    ['SSD1306', { 0: 0x03 }, 0, { 'Display on': 1 }],
    ['PCF8574', { 0: 0xf8 }, 0, { Pins: 0xf8, Backlight: 1 }],
    // Section 7.3.5: 1Eh after a reset is about 200 Hz; 79h is 50 Hz.
    ['PCA9685', { 9: 0x10, 254: 0x1e }, 1, { Rate: 196.8876, 'Pulse of output 0': 0 }],
    ['PCA9685', { 8: 0x33, 9: 0x01, 254: 0x79 }, 1, { Rate: 50.0288, 'Pulse of output 0': 1_498.16 }],
    // Table 1: VSET 3Fh is 5.06 V, 06h is 0.48 V.
    ['DRV8830', { 0: (0x3f << 2) | 1 }, 1, { 'Voltage set': 5.06, Direction: 1, Fault: 0 }],
    ['DRV8830', { 0: (0x06 << 2) | 2, 1: 0x03 }, 1, { 'Voltage set': 0.482, Direction: 2, Fault: 1 }],
    // CHIP_DAC_VOL: 3Ch is 0 dB, F0h −90 dB. CHIP_ANA_HP_CTRL: 18h is 0 dB, 7Fh −51.5 dB.
    [
      'SGTL5000',
      { 16: word(0x3cf0), 34: word(0x187f) },
      2,
      { 'DAC right': 0, 'DAC left': -90, 'Headphones right': 0, 'Headphones left': -51.5 },
    ],
    ['ES8311', { 50: 0xbf }, 1, { 'DAC volume': 0 }],
    ['AT24C32', from(0, [0x57, 0x42]), 2, { 'Byte 0': 0x57, 'Byte 1': 0x42, 'First 16 bytes are blank': 0 }],
    [
      'AT24C32',
      from(
        0,
        Array.from({ length: 16 }, () => 0xff),
      ),
      2,
      { 'First 16 bytes are blank': 1 },
    ],
    ['W25Q32JV', { 159: [0xef, 0x40, 0x16], 5: 3 }, 1, { Capacity: 4, Busy: 1 }],
    // Figure 1 and "Temperature Registers": +25.25 °C is 0001 1001 01.
    [
      'DS3231',
      { ...from(0, [0x56, 0x34, 0x72, 2, 0x29, 0x82, 0x24]), 15: 0x80, 17: 0x19, 18: 0x40 },
      1,
      { Hour: 12, Minute: 34, Second: 56, Day: 29, Month: 2, Year: 2124, Temperature: 25.25, 'Has lost its time': 1 },
    ],
    ['DS3231', { 2: 0x23 }, 1, { Hour: 23 }],
    ['DS3231', { 2: 0x52 }, 1, { Hour: 0 }],
    ['DS3231', { 0: 0x5f }, 1, { Second: 'not-bcd' }],
    [
      'PCF8563',
      from(2, [0xd9, 0x59, 0x23, 0x31, 5, 0x12, 0x99]),
      1,
      { Hour: 23, Minute: 59, Second: 59, Day: 31, Month: 12, 'Year of the century': 99, 'Time is not sure': 1 },
    ],
    ['MCP23017', { 18: 0xa5, 19: 0x0f }, 1, { 'Port A': 0xa5, 'Port B': 0x0f }],
    ['TCA9548A', { 0: 0b1000_0001 }, 0, { Control: 0x81, 'Buses connected': 2 }],
  ] as const)('%s %j', (name, memory, pointerSize, wanted) => {
    const readings = readingsOf(name, memory as Memory, pointerSize);
    for (const [reading, value] of Object.entries(wanted)) {
      if (typeof value === 'string') {
        expect(readings[reading]).toBe(value);
      } else {
        expect(readings[reading], reading).toBeCloseTo(value, value > 1_000 ? 0 : 3);
      }
    }
  });

  it('SHT31 measures once for both of its readings, and waits in between', () => {
    expect(chipNamed('SHT31').chip.cycle(new Map()).transfers).toEqual([
      { address: 0x44, write: Uint8Array.of(0x24, 0x00), read: 0, delay: 0 },
      { address: 0x44, write: new Uint8Array(), read: 5, delay: 16_000 },
    ]);
  });
});
