/**
 * BME280 and BMP280, pressure sensors of one family: the same registers and the same compensation of temperature and
 * pressure. Bosch Sensortec BST-BME280-DS002, revision 1.24: sections 4.2.2 (calibration), 4.2.3 (compensation in
 * integers), 5.3 and 5.4 (registers). BST-BMP280-DS001, revision 1.26: sections 3.11.2, 4.2, 4.3, 8.1 (compensation
 * in doubles, as in its example).
 */
import type { ChipDraft } from '../chip-content.ts';
import { bit, bits, type LibraryChip, registers, steps } from './library-chip.ts';

const oversampling = ['skipped', '×1', '×2', '×4', '×8', '×16'];

const unsigned16 = { width: 16, order: 'little' } as const;
const signed16 = { ...unsigned16, signed: true } as const;

/** Section 4.2.2, table 16 (BME280); section 3.11.2, table 17 (BMP280). */
const calibrationRegisters: ChipDraft['registers'] = [
  ...registers(unsigned16, [['dig_T1', 0x88, 'Calibration of temperature']]),
  ...registers(signed16, [
    ['dig_T2', 0x8a, 'Calibration of temperature'],
    ['dig_T3', 0x8c, 'Calibration of temperature'],
  ]),
  ...registers(unsigned16, [['dig_P1', 0x8e, 'Calibration of pressure']]),
  ...registers(
    signed16,
    [2, 3, 4, 5, 6, 7, 8, 9].map((number) => [`dig_P${number}`, 0x8c + 2 * number, 'Calibration of pressure'] as const),
  ),
];

const controlRegisters: ChipDraft['registers'] = [
  { name: 'reset', address: 0xe0, access: 'w', description: 'B6 resets the chip; any other value does nothing' },
  {
    name: 'status',
    address: 0xf3,
    description: 'What the chip is doing',
    fields: [bit('measuring', 3, 'A conversion is running'), bit('im_update', 0, 'Calibration is being copied')],
  },
  {
    name: 'ctrl_meas',
    address: 0xf4,
    access: 'rw',
    reset: 0,
    description: 'Oversampling and mode',
    fields: [
      bits('osrs_t', 7, 5, 'Oversampling of temperature', oversampling),
      bits('osrs_p', 4, 2, 'Oversampling of pressure', oversampling),
      bits('mode', 1, 0, 'Power mode', ['sleep', 'forced', 'forced', 'normal']),
    ],
  },
  {
    name: 'config',
    address: 0xf5,
    access: 'rw',
    reset: 0,
    description: 'Standby time and filter',
    fields: [
      bits('t_sb', 7, 5, 'Standby time in normal mode'),
      bits('filter', 4, 2, 'Time constant of the filter', ['off', '2', '4', '8', '16']),
      bit('spi3w_en', 0, 'SPI with three wires'),
    ],
  },
  { name: 'press', address: 0xf7, width: 24, reset: 0x80_00_00, description: 'Raw pressure in the highest 20 bits' },
  { name: 'temp', address: 0xfa, width: 24, reset: 0x80_00_00, description: 'Raw temperature in the highest 20 bits' },
];

/** BST-BME280-DS002, section 4.2.3: `BME280_compensate_T_int32` and `BME280_compensate_P_int64`. */
const integerCompensation = steps([
  ['adc_T', 'temp >> 4'],
  ['adc_P', 'press >> 4'],
  ['t1', '((adc_T >> 3) - (dig_T1 << 1)) * dig_T2 >> 11'],
  ['t2', '(((adc_T >> 4) - dig_T1) * ((adc_T >> 4) - dig_T1) >> 12) * dig_T3 >> 14'],
  ['t_fine', 't1 + t2'],
  ['p1', 't_fine - 128000'],
  ['p2', 'p1 * p1 * dig_P6 + (p1 * dig_P5 << 17) + (dig_P4 << 35)'],
  ['p3', '(p1 * p1 * dig_P3 >> 8) + (p1 * dig_P2 << 12)'],
  ['p4', '((1 << 47) + p3) * dig_P1 >> 33'],
  ['p5', '((1048576 - adc_P << 31) - p2) * 3125 / p4'],
  ['p6', 'dig_P9 * (p5 >> 13) * (p5 >> 13) >> 25'],
  ['p7', 'dig_P8 * p5 >> 19'],
]);

/** BST-BMP280-DS001, section 8.1: `bmp280_compensate_T_double` and `bmp280_compensate_P_double`. */
const doubleCompensation = (
  [
    ['adc_T', 'temp / 16'],
    ['adc_P', 'press / 16'],
    ['t1', '(adc_T / 16384 - dig_T1 / 1024) * dig_T2'],
    ['t2', '(adc_T / 131072 - dig_T1 / 8192) * (adc_T / 131072 - dig_T1 / 8192) * dig_T3'],
    ['t_fine', 't1 + t2'],
    ['p1', 't_fine / 2 - 64000'],
    ['p2', '(p1 * p1 * dig_P6 / 32768 + p1 * dig_P5 * 2) / 4 + dig_P4 * 65536'],
    ['p3', '(dig_P3 * p1 * p1 / 524288 + dig_P2 * p1) / 524288'],
    ['p4', '(1 + p3 / 32768) * dig_P1'],
    ['p5', '(1048576 - adc_P - p2 / 4096) * 6250 / p4'],
    ['p6', 'dig_P9 * p5 * p5 / 2147483648'],
    ['p7', 'p5 * dig_P8 / 32768'],
  ] as const
).map(([name, formula]) => ({ name, formula }));

const temperature = {
  name: 'Temperature',
  unit: '°C',
  minimum: -40,
  maximum: 85,
  decimals: 2,
} as const;

const pressure = {
  name: 'Pressure',
  unit: 'hPa',
  minimum: 300,
  maximum: 1_100,
  decimals: 2,
} as const;

const calibrationNames = calibrationRegisters.map(({ name }) => name);

export const bme280: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc001',
  name: 'BME280: temperature, pressure, humidity',
  description:
    'Reads temperature, pressure and relative humidity, compensated by the integer formulas of the data sheet with the calibration that the chip carries. The set-up starts continuous measurement without oversampling.',
  tags: ['BME280', 'Bosch', 'temperature', 'pressure', 'humidity', 'barometer'],
  content: {
    name: 'BME280',
    manufacturer: 'Bosch Sensortec',
    source: 'BST-BME280-DS002, revision 1.24',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x76, 0x77],
    identification: [{ register: 'id', value: 0x60 }],
    registers: [
      ...calibrationRegisters,
      { name: 'dig_H1', address: 0xa1, description: 'Calibration of humidity' },
      { name: 'id', address: 0xd0, reset: 0x60, description: 'Identifies the chip' },
      ...registers(signed16, [['dig_H2', 0xe1, 'Calibration of humidity']]),
      { name: 'dig_H3', address: 0xe3, description: 'Calibration of humidity' },
      { name: 'dig_H4_high', address: 0xe4, signed: true, description: 'Bits 11 to 4 of dig_H4' },
      {
        name: 'dig_H45_low',
        address: 0xe5,
        description: 'Bits 3 to 0 of dig_H5 and dig_H4',
        fields: [bits('h5', 7, 4, 'Of dig_H5'), bits('h4', 3, 0, 'Of dig_H4')],
      },
      { name: 'dig_H5_high', address: 0xe6, signed: true, description: 'Bits 11 to 4 of dig_H5' },
      { name: 'dig_H6', address: 0xe7, signed: true, description: 'Calibration of humidity' },
      {
        name: 'ctrl_hum',
        address: 0xf2,
        access: 'rw',
        reset: 0,
        description: 'Takes effect with the next write to ctrl_meas',
        fields: [bits('osrs_h', 2, 0, 'Oversampling of humidity', oversampling)],
      },
      ...controlRegisters,
      { name: 'hum', address: 0xfd, width: 16, reset: 0x8000, description: 'Raw humidity' },
    ],
    calibration: [
      ...calibrationNames,
      'dig_H1',
      'dig_H2',
      'dig_H3',
      'dig_H4_high',
      'dig_H45_low',
      'dig_H5_high',
      'dig_H6',
    ],
    // Section 5.4.3: write ctrl_hum first. Section 1.1, table 1: the chip answers 2 ms after a reset.
    init: [
      { register: 'reset', value: 0xb6 },
      { register: 'ctrl_hum', value: 0x01, delay: 2_000 },
      { register: 'config', value: 0x00 },
      { register: 'ctrl_meas', value: 0x27, description: 'Temperature and pressure ×1, normal mode' },
    ],
    values: [
      ...integerCompensation,
      // `bme280_compensate_H_int32`, section 4.2.3.
      ...steps([
        ['dig_H4', 'dig_H4_high * 16 + dig_H45_low.h4'],
        ['dig_H5', 'dig_H5_high * 16 + dig_H45_low.h5'],
        ['h1', 't_fine - 76800'],
        ['h2', '(hum << 14) - (dig_H4 << 20) - dig_H5 * h1 + 16384 >> 15'],
        ['h3', '(h1 * dig_H6 >> 10) * ((h1 * dig_H3 >> 11) + 32768) >> 10'],
        ['h4', 'h2 * ((h3 + 2097152) * dig_H2 + 8192 >> 14)'],
        ['h5', 'h4 - (((h4 >> 15) * (h4 >> 15) >> 7) * dig_H1 >> 4)'],
      ]),
    ],
    readings: [
      { ...temperature, kind: 'integer', formula: 't_fine * 5 + 128 >> 8', divisor: 100 },
      // The formula gives the pressure in Pa as Q24.8.
      { ...pressure, kind: 'integer', formula: '(p5 + p6 + p7 >> 8) + (dig_P7 << 4)', divisor: 25_600 },
      {
        name: 'Humidity',
        kind: 'integer',
        formula: 'min(max(h5, 0), 419430400) >> 12',
        divisor: 1_024,
        unit: '%RH',
        minimum: 0,
        maximum: 100,
        decimals: 2,
      },
    ],
  },
};

export const bmp280: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc002',
  name: 'BMP280: temperature and pressure',
  description:
    'Reads temperature and pressure, compensated by the formulas of the data sheet with the calibration that the chip carries. The set-up starts continuous measurement without oversampling.',
  tags: ['BMP280', 'Bosch', 'temperature', 'pressure', 'barometer'],
  content: {
    name: 'BMP280',
    manufacturer: 'Bosch Sensortec',
    source: 'BST-BMP280-DS001, revision 1.26',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x76, 0x77],
    // Engineering samples have 0x56 and 0x57 (section 4.3.1).
    identification: [{ register: 'id', value: 0x58, others: [0x56, 0x57] }],
    registers: [
      ...calibrationRegisters,
      { name: 'id', address: 0xd0, reset: 0x58, description: 'Identifies the chip' },
      ...controlRegisters,
    ],
    calibration: calibrationNames,
    init: [
      { register: 'reset', value: 0xb6 },
      { register: 'config', value: 0x00, delay: 2_000 },
      { register: 'ctrl_meas', value: 0x27, description: 'Temperature and pressure ×1, normal mode' },
    ],
    values: doubleCompensation,
    readings: [
      { ...temperature, formula: 't_fine / 5120' },
      { ...pressure, formula: 'p5 + (p6 + p7 + dig_P7) / 16', divisor: 100 },
    ],
  },
};
