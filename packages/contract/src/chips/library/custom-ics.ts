/** Custom ICs: clocks, port expanders, switches. Each description names its source. */
import { bit, bits, type LibraryChip, steps } from './library-chip.ts';

/** Maxim 19-5170, DS3231, revision 10: figure 1 (registers), "Temperature Registers", "Control Register", "Status Register". */
export const ds3231: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc015',
  name: 'DS3231: clock and temperature',
  description:
    'Time, date and the temperature of the oscillator. Nothing is set; the stop flag tells whether the clock has lost its time. Hours of both forms are shown as 0 to 23.',
  tags: ['DS3231', 'ZS-042', 'Analog Devices', 'Maxim', 'RTC', 'clock'],
  content: {
    name: 'DS3231',
    manufacturer: 'Analog Devices (Maxim)',
    source: '19-5170, revision 10, figure 1',
    category: 'Custom ICs',
    bus: 'i2c',
    addresses: [0x68],
    registers: [
      { name: 'seconds', address: 0x00, access: 'rw', description: 'BCD' },
      { name: 'minutes', address: 0x01, access: 'rw', description: 'BCD' },
      {
        name: 'hours',
        address: 0x02,
        access: 'rw',
        description: 'BCD',
        fields: [bit('twelve', 6, '12 hours instead of 24'), bit('pm', 5, 'Afternoon, or 20 hours')],
      },
      { name: 'weekday', address: 0x03, access: 'rw', description: '1 to 7' },
      { name: 'date', address: 0x04, access: 'rw', description: 'BCD' },
      {
        name: 'month',
        address: 0x05,
        access: 'rw',
        description: 'BCD and century',
        fields: [bit('century', 7, 'The year has overflowed'), bits('bcd', 4, 0, 'Month')],
      },
      { name: 'year', address: 0x06, access: 'rw', description: 'BCD, 00 to 99' },
      {
        name: 'control',
        address: 0x0e,
        access: 'rw',
        reset: 0x1c,
        description: 'Oscillator, square wave, alarms',
        fields: [
          bit('eosc', 7, 'The oscillator stops on battery'),
          bit('bbsqw', 6, 'Square wave on battery'),
          bit('conv', 5, '1 measures the temperature now'),
          bits('rs', 4, 3, 'Square wave', ['1 Hz', '1.024 kHz', '4.096 kHz', '8.192 kHz']),
          bit('intcn', 2, 'Interrupt instead of square wave'),
          bit('a2ie', 1, 'Alarm 2'),
          bit('a1ie', 0, 'Alarm 1'),
        ],
      },
      {
        name: 'status',
        address: 0x0f,
        access: 'rw',
        description: 'Flags',
        fields: [
          bit('osf', 7, 'The oscillator has been stopped'),
          bit('en32khz', 3, 'Output of 32 kHz'),
          bit('bsy', 2, 'Busy'),
          bit('a2f', 1, 'Alarm 2'),
          bit('a1f', 0, 'Alarm 1'),
        ],
      },
      { name: 'aging', address: 0x10, access: 'rw', signed: true, reset: 0, description: 'Aging offset' },
      {
        name: 'temperature',
        address: 0x11,
        width: 16,
        signed: true,
        description: '1/256 °C a step, the lowest 6 bits 0',
      },
    ],
    values: steps([
      ['hour', 'hours.twelve ? bcd(hours & 0x1F) % 12 + (hours.pm ? 12 : 0) : bcd(hours & 0x3F)'],
      ['second_of_day', 'hour * 3600 + bcd(minutes) * 60 + bcd(seconds)'],
    ]),
    readings: [
      { name: 'Hour', kind: 'integer', formula: 'hour', minimum: 0, maximum: 23 },
      { name: 'Minute', kind: 'integer', formula: 'bcd(minutes)', minimum: 0, maximum: 59 },
      { name: 'Second', kind: 'integer', formula: 'bcd(seconds)', minimum: 0, maximum: 59 },
      { name: 'Second of the day', kind: 'integer', formula: 'second_of_day', unit: 's', minimum: 0, maximum: 86_399 },
      { name: 'Day', kind: 'integer', formula: 'bcd(date)', minimum: 1, maximum: 31 },
      { name: 'Month', kind: 'integer', formula: 'bcd(month.bcd)', minimum: 1, maximum: 12 },
      { name: 'Year', kind: 'integer', formula: '2000 + bcd(year) + (month.century ? 100 : 0)' },
      { name: 'Temperature', formula: 'temperature / 256', unit: '°C', minimum: -40, maximum: 85, decimals: 2 },
      { name: 'Has lost its time', formula: 'status.osf' },
    ],
  },
};

/** NXP PCF8563, revision 11: sections 8.2 (registers), 8.4 (time and date), tables 4 and 8 to 14. */
export const pcf8563: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc016',
  name: 'PCF8563: clock',
  description: 'Time and date, and whether the supply was too low for the clock to be right. Nothing is set.',
  tags: ['PCF8563', 'BM8563', 'NXP', 'RTC', 'clock'],
  content: {
    name: 'PCF8563',
    manufacturer: 'NXP',
    source: 'PCF8563, revision 11, section 8',
    category: 'Custom ICs',
    bus: 'i2c',
    addresses: [0x51],
    registers: [
      {
        name: 'control_status_1',
        address: 0x00,
        access: 'rw',
        description: 'Test, stop, power-on',
        fields: [
          bit('test1', 7, 'Test mode'),
          bit('stop', 5, 'The clock is stopped'),
          bit('testc', 3, 'Power-on override'),
        ],
      },
      {
        name: 'control_status_2',
        address: 0x01,
        access: 'rw',
        description: 'Alarm and timer',
        fields: [
          bit('af', 3, 'The alarm has come'),
          bit('tf', 2, 'The timer has ended'),
          bit('aie', 1, 'Interrupt of the alarm'),
          bit('tie', 0, 'Interrupt of the timer'),
        ],
      },
      {
        name: 'seconds',
        address: 0x02,
        access: 'rw',
        description: 'BCD and the flag of the supply',
        fields: [bit('vl', 7, 'The time is not sure'), bits('bcd', 6, 0, 'Seconds')],
      },
      { name: 'minutes', address: 0x03, access: 'rw', description: 'BCD', fields: [bits('bcd', 6, 0, 'Minutes')] },
      { name: 'hours', address: 0x04, access: 'rw', description: 'BCD', fields: [bits('bcd', 5, 0, 'Hours')] },
      { name: 'days', address: 0x05, access: 'rw', description: 'BCD', fields: [bits('bcd', 5, 0, 'Day')] },
      {
        name: 'weekdays',
        address: 0x06,
        access: 'rw',
        description: '0 to 6',
        fields: [bits('day', 2, 0, 'Day of the week')],
      },
      {
        name: 'months',
        address: 0x07,
        access: 'rw',
        description: 'BCD and century',
        fields: [bit('century', 7, 'Century'), bits('bcd', 4, 0, 'Month')],
      },
      { name: 'years', address: 0x08, access: 'rw', description: 'BCD, 00 to 99' },
    ],
    readings: [
      { name: 'Hour', kind: 'integer', formula: 'bcd(hours.bcd)', minimum: 0, maximum: 23 },
      { name: 'Minute', kind: 'integer', formula: 'bcd(minutes.bcd)', minimum: 0, maximum: 59 },
      { name: 'Second', kind: 'integer', formula: 'bcd(seconds.bcd)', minimum: 0, maximum: 59 },
      { name: 'Day', kind: 'integer', formula: 'bcd(days.bcd)', minimum: 1, maximum: 31 },
      { name: 'Month', kind: 'integer', formula: 'bcd(months.bcd)', minimum: 1, maximum: 12 },
      { name: 'Year of the century', kind: 'integer', formula: 'bcd(years)', minimum: 0, maximum: 99 },
      { name: 'Time is not sure', formula: 'seconds.vl' },
    ],
  },
};

/** Microchip DS20001952, MCP23017: table 3-1 and 3-5 (registers with IOCON.BANK 0), section 3.5. */
export const mcp23017: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc017',
  name: 'MCP23017: 16 port pins',
  description:
    'The levels of both ports. The set-up makes all pins inputs with pull-ups, as nothing can come to harm that way; to drive one, write its bit of iodira or iodirb 0 and its level to olata or olatb.',
  tags: ['MCP23017', 'Microchip', 'GPIO', 'port expander'],
  content: {
    name: 'MCP23017',
    manufacturer: 'Microchip',
    source: 'DS20001952, table 3-5 and section 3.5',
    category: 'Custom ICs',
    bus: 'i2c',
    addresses: [0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27],
    registers: [
      { name: 'iodira', address: 0x00, access: 'rw', reset: 0xff, description: 'Port A: 1 is an input' },
      { name: 'iodirb', address: 0x01, access: 'rw', reset: 0xff, description: 'Port B: 1 is an input' },
      {
        name: 'iocon',
        address: 0x0a,
        access: 'rw',
        reset: 0x00,
        description: 'Configuration',
        fields: [
          bit('bank', 7, 'Registers are in two banks'),
          bit('mirror', 6, 'Both interrupts are one'),
          bit('seqop', 5, 'Addresses do not increment'),
          bit('odr', 2, 'Interrupt is open drain'),
          bit('intpol', 1, 'Interrupt is active high'),
        ],
      },
      { name: 'gppua', address: 0x0c, access: 'rw', reset: 0x00, description: 'Port A: pull-ups of 100 kΩ' },
      { name: 'gppub', address: 0x0d, access: 'rw', reset: 0x00, description: 'Port B: pull-ups of 100 kΩ' },
      { name: 'gpioa', address: 0x12, access: 'rw', description: 'Port A: levels' },
      { name: 'gpiob', address: 0x13, access: 'rw', description: 'Port B: levels' },
      { name: 'olata', address: 0x14, access: 'rw', reset: 0x00, description: 'Port A: output latch' },
      { name: 'olatb', address: 0x15, access: 'rw', reset: 0x00, description: 'Port B: output latch' },
    ],
    init: [
      { register: 'iodira', value: 0xff },
      { register: 'iodirb', value: 0xff },
      { register: 'gppua', value: 0xff },
      { register: 'gppub', value: 0xff },
    ],
    readings: [
      { name: 'Port A', formula: 'gpioa', minimum: 0, maximum: 255 },
      { name: 'Port B', formula: 'gpiob', minimum: 0, maximum: 255 },
    ],
    interval: 100,
  },
};

/** TI SCPS207, TCA9548A: sections 8.5.3 (control register), 8.5.1 (addresses), table 4. */
export const tca9548a: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc018',
  name: 'TCA9548A: switch for eight I2C buses',
  description:
    'Which of the eight buses are connected. The set-up disconnects all of them; write a bit of the control register to connect one, then scan again. A switch has nothing to recognise it by.',
  tags: ['TCA9548A', 'PCA9548', 'Texas Instruments', 'I2C', 'multiplexer', 'switch'],
  content: {
    name: 'TCA9548A',
    manufacturer: 'Texas Instruments',
    source: 'SCPS207, section 8.5',
    category: 'Custom ICs',
    bus: 'i2c',
    addresses: [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77],
    pointer: 0,
    increments: false,
    registers: [
      {
        name: 'control',
        address: 0,
        access: 'rw',
        reset: 0,
        description: 'One bit for each bus',
        fields: [0, 1, 2, 3, 4, 5, 6, 7].map((channel) =>
          bit(`channel_${channel}`, channel, `Bus ${channel} is connected`),
        ),
      },
    ],
    init: [{ register: 'control', value: 0 }],
    readings: [
      { name: 'Control', formula: 'control', minimum: 0, maximum: 255 },
      {
        name: 'Buses connected',
        formula: Array.from({ length: 8 }, (_, channel) => `control.channel_${channel}`).join(' + '),
        minimum: 0,
        maximum: 8,
      },
    ],
  },
};
