/** Sensors of temperature, humidity and light. Each description names its source. */
import { bit, bits, type LibraryChip } from './library-chip.ts';

/** Limit registers of the LM75 family. These chips have no identification register. */
const limits = [
  {
    name: 'hysteresis',
    address: 0x02,
    width: 16,
    signed: true,
    access: 'rw',
    reset: 0x4b00,
    description: 'Lower limit of the alert, 1/256 °C a step',
  },
  {
    name: 'limit',
    address: 0x03,
    width: 16,
    signed: true,
    access: 'rw',
    reset: 0x5000,
    description: 'Upper limit of the alert, 1/256 °C a step',
  },
] as const;

/** TI SLLS648D, TMP105: tables 2 to 8, "Temperature Register", "Configuration Register", "Serial Bus Address". */
export const tmp105: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc006',
  name: 'TMP105: temperature',
  description:
    'Temperature in steps of 1/16 °C, and the limits of the alert. The set-up chooses 12 bits and continuous conversion. The chip has no number by which it could be recognised.',
  tags: ['TMP105', 'Texas Instruments', 'LM75', 'temperature'],
  content: {
    name: 'TMP105',
    manufacturer: 'Texas Instruments',
    source: 'SLLS648D, tables 2 to 8',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x48, 0x49],
    increments: false,
    registers: [
      {
        name: 'temperature',
        address: 0x00,
        width: 16,
        signed: true,
        description: 'Temperature, 1/256 °C a step, the lowest 4 bits 0',
      },
      {
        name: 'configuration',
        address: 0x01,
        access: 'rw',
        reset: 0x00,
        description: 'Mode, alert and resolution',
        fields: [
          bit('os', 7, 'Starts one conversion while shut down'),
          bits('r', 6, 5, 'Resolution', ['9 bits', '10 bits', '11 bits', '12 bits']),
          bits('f', 4, 3, 'Consecutive faults before the alert', ['1', '2', '4', '6']),
          bit('pol', 2, 'The alert is active high'),
          bit('tm', 1, 'The alert is an interrupt'),
          bit('sd', 0, 'Shut down'),
        ],
      },
      ...limits,
    ],
    init: [{ register: 'configuration', value: 0x60, description: '12 bits, continuous' }],
    readings: [
      { name: 'Temperature', formula: 'temperature / 256', unit: '°C', minimum: -55, maximum: 127.9375, decimals: 4 },
      { name: 'Upper limit', formula: 'limit / 256', unit: '°C', decimals: 1 },
    ],
  },
};

/** NXP LM75A data sheet, revision 4: sections 7.4 (registers), table 9 (temperatures). */
export const lm75a: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc007',
  name: 'LM75A: temperature',
  description:
    'Temperature in steps of 0.125 °C, and the limits of the thermostat. The chip measures as soon as it has power, and has no number by which it could be recognised.',
  tags: ['LM75A', 'LM75', 'NXP', 'temperature', 'thermostat'],
  content: {
    name: 'LM75A',
    manufacturer: 'NXP',
    source: 'LM75A, revision 4, section 7.4',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f],
    increments: false,
    registers: [
      {
        name: 'temperature',
        address: 0x00,
        width: 16,
        signed: true,
        description: 'Temperature in the highest 11 bits, 0.125 °C a step',
      },
      {
        name: 'configuration',
        address: 0x01,
        access: 'rw',
        reset: 0x00,
        description: 'Mode and thermostat',
        fields: [
          bits('queue', 4, 3, 'Consecutive faults before the output', ['1', '2', '4', '6']),
          bit('polarity', 2, 'The output is active high'),
          bit('interrupt', 1, 'The output is an interrupt'),
          bit('shutdown', 0, 'Shut down'),
        ],
      },
      ...limits,
    ],
    values: [{ name: 'steps', kind: 'integer', formula: 'temperature >> 5' }],
    readings: [
      { name: 'Temperature', formula: 'steps * 0.125', unit: '°C', minimum: -55, maximum: 125, decimals: 3 },
      { name: 'Thermostat', formula: 'limit / 256', unit: '°C', decimals: 1 },
    ],
  },
};

/** Sensirion SHT3x-DIS data sheet, version 7: sections 4.3 (single shot), 4.11 (status), 4.13 (conversion), table 4 (durations). */
export const sht31: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc008',
  name: 'SHT31: temperature and humidity',
  description:
    'Each reading is one measurement of high repeatability, which takes up to 15 ms; its checksums are not looked at. The chip has no number by which it could be recognised.',
  tags: ['SHT31', 'SHT30', 'SHT35', 'Sensirion', 'temperature', 'humidity'],
  content: {
    name: 'SHT31',
    manufacturer: 'Sensirion',
    source: 'SHT3x-DIS, version 7, sections 4.3 to 4.13',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x44, 0x45],
    pointer: 16,
    increments: false,
    registers: [
      {
        name: 'temperature',
        address: 0x2400,
        width: 16,
        wait: 16_000,
        description: 'Starts a measurement and gives its temperature',
      },
      {
        name: 'humidity',
        address: 0x2400,
        offset: 3,
        width: 16,
        wait: 16_000,
        description: 'Humidity of the same measurement, after the checksum of the temperature',
      },
      {
        name: 'status',
        address: 0xf32d,
        width: 16,
        reset: 0x8010,
        description: 'Alerts, heater and last command',
        fields: [
          bit('alert', 15, 'An alert is pending'),
          bit('heater', 13, 'The heater is on'),
          bit('reset_detected', 4, 'A reset since the last clear'),
          bit('command_failed', 1, 'The last command was not understood'),
          bit('checksum_failed', 0, 'The last write had a wrong checksum'),
        ],
      },
    ],
    init: [{ bytes: '30 A2', description: 'Soft reset' }],
    readings: [
      {
        name: 'Temperature',
        formula: '175 * temperature / 65535 - 45',
        unit: '°C',
        minimum: -40,
        maximum: 125,
        decimals: 2,
      },
      { name: 'Humidity', formula: '100 * humidity / 65535', unit: '%RH', minimum: 0, maximum: 100, decimals: 2 },
    ],
  },
};

/** ROHM BH1750FVI, 2011.11 revision D: "Instruction Set Architecture", "Measurement Sequence Example". */
export const bh1750: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc009',
  name: 'BH1750: ambient light',
  description:
    'Illuminance in lux. The set-up starts continuous measurement of high resolution, a new value every 120 to 180 ms. The chip has no registers and no number by which it could be recognised.',
  tags: ['BH1750', 'GY-30', 'GY-302', 'ROHM', 'light', 'lux'],
  content: {
    name: 'BH1750FVI',
    manufacturer: 'ROHM',
    source: 'BH1750FVI, 2011.11 revision D, "Measurement Sequence Example"',
    category: 'Sensors',
    bus: 'i2c',
    addresses: [0x23, 0x5c],
    pointer: 0,
    increments: false,
    registers: [{ name: 'light', address: 0, width: 16, description: 'Result of the last measurement' }],
    init: [
      { bytes: '01', description: 'Power on' },
      { bytes: '10', description: 'Continuous measurement, high resolution' },
    ],
    readings: [{ name: 'Illuminance', formula: 'light / 1.2', unit: 'lx', minimum: 0, maximum: 54_612.5, decimals: 1 }],
    interval: 250,
  },
};
