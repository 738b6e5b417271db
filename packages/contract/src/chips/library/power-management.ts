/** Power management: chips that measure and manage supplies and batteries. Each description names its source. */
import { bit, bits, type LibraryChip, registers } from './library-chip.ts';

/** TI SBOS448G, INA219: section 8.6 (registers), 8.5.1 (calibration), table 8 (a worked example). */
export const ina219: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc003',
  name: 'INA219: voltage, current, power',
  description:
    'Bus voltage, shunt voltage, current and power. The set-up calibrates for the shunt of 0.1 Ω that most modules have (100 µA and 2 mW a step, at most 3.2 A). Addresses 0x40 to 0x4F are possible; these are the ones with A0 and A1 at ground or supply.',
  tags: ['INA219', 'Texas Instruments', 'current', 'voltage', 'power meter'],
  content: {
    name: 'INA219',
    manufacturer: 'Texas Instruments',
    source: 'SBOS448G, sections 8.5 and 8.6',
    category: 'Power Management',
    bus: 'i2c',
    addresses: [0x40, 0x41, 0x44, 0x45],
    increments: false,
    registers: [
      {
        name: 'configuration',
        address: 0x00,
        width: 16,
        access: 'rw',
        reset: 0x399f,
        description: 'Ranges, averaging and mode',
        fields: [
          bit('rst', 15, '1 resets the chip'),
          bit('brng', 13, 'Bus voltage range: 0 is 16 V, 1 is 32 V'),
          bits('pg', 12, 11, 'Range of the shunt voltage', ['±40 mV', '±80 mV', '±160 mV', '±320 mV']),
          bits('badc', 10, 7, 'Resolution or averaging of the bus voltage'),
          bits('sadc', 6, 3, 'Resolution or averaging of the shunt voltage'),
          bits('mode', 2, 0, 'Operating mode', [
            'power-down',
            'shunt, triggered',
            'bus, triggered',
            'shunt and bus, triggered',
            'ADC off',
            'shunt, continuous',
            'bus, continuous',
            'shunt and bus, continuous',
          ]),
        ],
      },
      { name: 'shunt', address: 0x01, width: 16, signed: true, description: 'Shunt voltage, 10 µV a step' },
      {
        name: 'bus',
        address: 0x02,
        width: 16,
        description: 'Bus voltage, 4 mV a step',
        fields: [
          bits('bd', 15, 3, 'Bus voltage'),
          bit('cnvr', 1, 'A conversion is complete'),
          bit('ovf', 0, 'Power or current are out of range'),
        ],
      },
      { name: 'power', address: 0x03, width: 16, description: '20 steps of the current register are one step' },
      { name: 'current', address: 0x04, width: 16, signed: true, description: 'As calibrated' },
      {
        name: 'calibration',
        address: 0x05,
        width: 16,
        access: 'rw',
        reset: 0,
        description: '0.04096 / (step of the current in A × shunt in Ω)',
      },
    ],
    init: [
      { register: 'configuration', value: 0x399f },
      { register: 'calibration', value: 4_096, description: '0.1 Ω, 100 µA a step' },
    ],
    readings: [
      { name: 'Bus voltage', formula: 'bus.bd * 0.004', unit: 'V', minimum: 0, maximum: 26, decimals: 3 },
      { name: 'Shunt voltage', formula: 'shunt * 0.01', unit: 'mV', minimum: -320, maximum: 320, decimals: 2 },
      { name: 'Current', formula: 'current * 0.1', unit: 'mA', decimals: 1 },
      { name: 'Power', formula: 'power * 2', unit: 'mW' },
    ],
  },
};

/** X-Powers AXP192 data sheet, version 1.1: section 10.4 (ADC registers 56h to 7Fh, 82h) and the table of ADC steps. */
export const axp192: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc004',
  name: 'AXP192: supplies, battery, temperature',
  description:
    'The power management of many battery boards: voltage and current of USB, the external supply and the battery, and its own temperature. The set-up turns all converters on and changes no output.',
  tags: ['AXP192', 'X-Powers', 'battery', 'charger', 'PMIC'],
  content: {
    name: 'AXP192',
    manufacturer: 'X-Powers',
    source: 'AXP192 data sheet, ADC data and register 82h',
    category: 'Power Management',
    bus: 'i2c',
    addresses: [0x34],
    registers: [
      {
        name: 'power_status',
        address: 0x00,
        description: 'Where power comes from',
        fields: [
          bit('acin', 7, 'External supply is present'),
          bit('vbus', 5, 'USB supply is present'),
          bit('charging', 2, 'Current flows into the battery'),
        ],
      },
      ...registers({ width: 16 }, [
        ['acin_voltage', 0x56, 'External supply: bits 11 to 4, then 3 to 0'],
        ['acin_current', 0x58, 'External supply: bits 11 to 4, then 3 to 0'],
        ['vbus_voltage', 0x5a, 'USB supply: bits 11 to 4, then 3 to 0'],
        ['vbus_current', 0x5c, 'USB supply: bits 11 to 4, then 3 to 0'],
        ['temperature', 0x5e, 'The chip itself: bits 11 to 4, then 3 to 0'],
        ['battery_voltage', 0x78, 'Battery: bits 11 to 4, then 3 to 0'],
        ['charge_current', 0x7a, 'Into the battery: bits 12 to 5, then 4 to 0'],
        ['discharge_current', 0x7c, 'Out of the battery: bits 12 to 5, then 4 to 0'],
        ['aps_voltage', 0x7e, 'Internal supply: bits 11 to 4, then 3 to 0'],
      ]),
      { name: 'adc_enable', address: 0x82, access: 'rw', reset: 0x83, description: 'One bit for each converter' },
    ],
    init: [{ register: 'adc_enable', value: 0xff, description: 'All converters on' }],
    values: [
      ...[
        'acin_voltage',
        'acin_current',
        'vbus_voltage',
        'vbus_current',
        'temperature',
        'battery_voltage',
        'aps_voltage',
      ].map((name) => ({
        name: `${name}_raw`,
        kind: 'integer' as const,
        formula: `bits(${name}, 15, 8) << 4 | bits(${name}, 3, 0)`,
      })),
      ...['charge_current', 'discharge_current'].map((name) => ({
        name: `${name}_raw`,
        kind: 'integer' as const,
        formula: `bits(${name}, 15, 8) << 5 | bits(${name}, 4, 0)`,
      })),
    ],
    readings: [
      { name: 'Battery voltage', formula: 'battery_voltage_raw * 0.0011', unit: 'V', decimals: 3 },
      { name: 'Charge current', formula: 'charge_current_raw * 0.5', unit: 'mA', decimals: 1 },
      { name: 'Discharge current', formula: 'discharge_current_raw * 0.5', unit: 'mA', decimals: 1 },
      { name: 'USB voltage', formula: 'vbus_voltage_raw * 0.0017', unit: 'V', decimals: 3 },
      { name: 'USB current', formula: 'vbus_current_raw * 0.375', unit: 'mA', decimals: 1 },
      { name: 'External voltage', formula: 'acin_voltage_raw * 0.0017', unit: 'V', decimals: 3 },
      { name: 'External current', formula: 'acin_current_raw * 0.625', unit: 'mA', decimals: 1 },
      { name: 'Internal voltage', formula: 'aps_voltage_raw * 0.0014', unit: 'V', decimals: 3 },
      { name: 'Chip temperature', formula: 'temperature_raw * 0.1 - 144.7', unit: '°C', decimals: 1 },
    ],
  },
};

/** Maxim Integrated 19-6171, MAX17048/MAX17049: "Registers", table 2. */
export const max17048: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc005',
  name: 'MAX17048: charge of a lithium cell',
  description:
    'Voltage, state of charge, and how fast it changes, of one lithium cell. Nothing has to be set up: the gauge runs as soon as it has power.',
  tags: ['MAX17048', 'Maxim', 'Analog Devices', 'battery', 'fuel gauge'],
  content: {
    name: 'MAX17048',
    manufacturer: 'Analog Devices (Maxim)',
    source: '19-6171, MAX17048/MAX17049, table 2',
    category: 'Power Management',
    bus: 'i2c',
    addresses: [0x36],
    identification: [{ register: 'version', mask: 0xfff0, value: 0x0010 }],
    registers: [
      { name: 'vcell', address: 0x02, width: 16, description: 'Cell voltage, 78.125 µV a step' },
      { name: 'soc', address: 0x04, width: 16, description: 'State of charge, 1/256 % a step' },
      { name: 'mode', address: 0x06, width: 16, access: 'w', description: 'Quick start and sleep' },
      { name: 'version', address: 0x08, width: 16, description: 'Production version' },
      {
        name: 'hibrt',
        address: 0x0a,
        width: 16,
        access: 'rw',
        reset: 0x8030,
        description: 'Thresholds of hibernation',
      },
      { name: 'config', address: 0x0c, width: 16, access: 'rw', reset: 0x971c, description: 'Compensation and alert' },
      { name: 'crate', address: 0x16, width: 16, signed: true, description: 'Rate of charge, 0.208 %/h a step' },
    ],
    readings: [
      { name: 'Cell voltage', formula: 'vcell * 0.000078125', unit: 'V', minimum: 0, maximum: 5.12, decimals: 3 },
      { name: 'State of charge', formula: 'soc / 256', unit: '%', decimals: 1 },
      { name: 'Rate of charge', formula: 'crate * 0.208', unit: '%/h', decimals: 1 },
    ],
  },
};
