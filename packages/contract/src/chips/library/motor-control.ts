/** Drivers of servos and motors. Each description names its source. */
import { bit, bits, type LibraryChip } from './library-chip.ts';

/** NXP PCA9685, revision 4: sections 7.3 (registers), 7.3.1 (MODE1), 7.3.5 (PRE_SCALE), table 4. */
export const pca9685: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc00f',
  name: 'PCA9685: 16 PWM outputs, servos',
  description:
    'Sets the outputs to 50 Hz, as servos expect, and wakes the oscillator; outputs stay off until their registers are written. Addresses go on to 0x7F with the other pins. Recognised by the addresses for groups that it has after a reset.',
  tags: ['PCA9685', 'NXP', 'PWM', 'servo', 'LED driver'],
  content: {
    name: 'PCA9685',
    manufacturer: 'NXP',
    source: 'PCA9685, revision 4, section 7.3',
    category: 'Motor Control',
    bus: 'i2c',
    addresses: [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47],
    // The address increments only after the bit AI of MODE1 is set.
    increments: false,
    identification: [
      { register: 'subadr1', mask: 0xfe, value: 0xe2 },
      { register: 'subadr2', mask: 0xfe, value: 0xe4 },
      { register: 'subadr3', mask: 0xfe, value: 0xe8 },
      { register: 'allcalladr', mask: 0xfe, value: 0xe0 },
    ],
    registers: [
      {
        name: 'mode1',
        address: 0x00,
        access: 'rw',
        reset: 0x11,
        description: 'Restart, sleep and addresses',
        fields: [
          bit('restart', 7, 'Outputs can be started again'),
          bit('extclk', 6, 'External clock'),
          bit('ai', 5, 'Register addresses increment'),
          bit('sleep', 4, 'The oscillator is off'),
          bit('allcall', 0, 'Answers to the address for all'),
        ],
      },
      {
        name: 'mode2',
        address: 0x01,
        access: 'rw',
        reset: 0x04,
        description: 'Outputs',
        fields: [
          bit('invrt', 4, 'Outputs are inverted'),
          bit('och', 3, 'Outputs change on the acknowledge'),
          bit('outdrv', 2, 'Totem pole instead of open drain'),
          bits('outne', 1, 0, 'Outputs while disabled'),
        ],
      },
      { name: 'subadr1', address: 0x02, access: 'rw', reset: 0xe2, description: 'Address for a group' },
      { name: 'subadr2', address: 0x03, access: 'rw', reset: 0xe4, description: 'Address for a group' },
      { name: 'subadr3', address: 0x04, access: 'rw', reset: 0xe8, description: 'Address for a group' },
      { name: 'allcalladr', address: 0x05, access: 'rw', reset: 0xe0, description: 'Address for all' },
      ...Array.from({ length: 16 }, (_, output) => output).flatMap((output) =>
        (['on_l', 'on_h', 'off_l', 'off_h'] as const).map((part, index) => ({
          name: `led${output}_${part}`,
          address: 0x06 + 4 * output + index,
          access: 'rw' as const,
          reset: part === 'off_h' ? 0x10 : 0,
          description: `Output ${output}: ${['turns on at, low', 'turns on at, high', 'turns off at, low', 'turns off at, high'][index]}`,
          ...(part === 'off_h' && { fields: [bit('full', 4, 'Always off'), bits('high', 3, 0, 'Bits 11 to 8')] }),
        })),
      ),
      { name: 'pre_scale', address: 0xfe, access: 'rw', reset: 0x1e, description: '25 MHz / (4096 × rate) − 1' },
    ],
    // Section 7.3.5: the prescaler can be written only while the oscillator sleeps. Section 7.3.1.1: 500 µs until it runs.
    init: [
      { register: 'mode1', value: 0x10, description: 'Sleep' },
      { register: 'pre_scale', value: 0x79, description: '50 Hz' },
      { register: 'mode1', value: 0x20, description: 'Awake, addresses increment' },
      { register: 'mode2', value: 0x04, delay: 500, description: 'Totem pole' },
    ],
    readings: [
      { name: 'Rate', formula: '25000000 / 4096 / (pre_scale + 1)', unit: 'Hz', decimals: 1 },
      {
        name: 'Pulse of output 0',
        formula:
          'led0_off_h.full ? 0 : (led0_off_h.high * 256 + led0_off_l - led0_on_h * 256 - led0_on_l) * (pre_scale + 1) / 25',
        unit: 'µs',
      },
    ],
  },
};

/** TI SLVSAB2, DRV8830: "Register Map", tables 1 (VSET), 2 (bridge control), 4 (FAULT), "Addresses". */
export const drv8830: LibraryChip = {
  id: '01939c00-0000-7000-8000-0000000cc010',
  name: 'DRV8830: one DC motor',
  description:
    'Voltage and direction of one motor, and the faults of the driver. The set-up clears the faults and lets the motor coast; nothing turns until the control register is written. With both pins high the address is 0x68.',
  tags: ['DRV8830', 'Texas Instruments', 'motor', 'H-bridge'],
  content: {
    name: 'DRV8830',
    manufacturer: 'Texas Instruments',
    source: 'SLVSAB2, register map',
    category: 'Motor Control',
    bus: 'i2c',
    addresses: [0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67],
    increments: false,
    registers: [
      {
        name: 'control',
        address: 0x00,
        access: 'rw',
        reset: 0x00,
        description: 'Voltage and direction',
        fields: [
          bits('vset', 7, 2, 'Voltage, about 0.08 V a step from 6 on'),
          bits('direction', 1, 0, 'IN2 and IN1', ['coast', 'forward', 'reverse', 'brake']),
        ],
      },
      {
        name: 'fault',
        address: 0x01,
        access: 'rw',
        reset: 0x00,
        description: 'Why the driver has stopped',
        fields: [
          bit('clear', 7, '1 clears the faults'),
          bit('ilimit', 4, 'Current limit for long'),
          bit('ots', 3, 'Too hot'),
          bit('uvlo', 2, 'Supply too low'),
          bit('ocp', 1, 'Overcurrent'),
          bit('fault', 0, 'Some fault'),
        ],
      },
    ],
    init: [
      { register: 'fault', value: 0x80, description: 'Clear faults' },
      { register: 'control', value: 0x00, description: 'Coast' },
    ],
    readings: [
      {
        name: 'Voltage set',
        formula: '4 * 1.285 * control.vset / 64',
        unit: 'V',
        minimum: 0,
        maximum: 5.06,
        decimals: 2,
      },
      { name: 'Direction', formula: 'control.direction' },
      { name: 'Fault', formula: 'fault.fault' },
    ],
  },
};
