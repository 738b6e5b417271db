/** Texts of the landing page. The drawing code is elsewhere. */

import { ArrowLeftRight, Binary, Cable, CircuitBoard, ScanSearch, Waves } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasServer } from '../../shared/edition.ts';

export interface Point {
  readonly name: string;
  readonly text: string;
  readonly icon?: ReactNode;
}

export const capabilities: readonly Point[] = [
  {
    name: 'Pin configuration',
    text: 'Every pin live, as input, output, open drain or PWM, with its pulls.',
    icon: <CircuitBoard />,
  },
  {
    name: 'I2C scanning',
    text: 'Finds the bus and its devices, reads and writes their registers, frees a stuck bus.',
    icon: <ScanSearch />,
  },
  {
    name: 'SPI',
    text: 'All four modes, full duplex, 1 to 64 bytes, on pins of your choice.',
    icon: <ArrowLeftRight />,
  },
  { name: 'Analog sampling', text: 'Voltages over time, on pins of ADC1. Not calibrated.', icon: <Waves /> },
  { name: 'UART bridging', text: 'A second serial port for the circuit under test.', icon: <Cable /> },
  { name: 'Register bits', text: 'Flip one bit of the chip and see what it does.', icon: <Binary /> },
];

export const steps: readonly Point[] = [
  { name: 'Wire', text: 'Connect the board to the circuit: ground first, then the pins you need.' },
  { name: 'Connect', text: 'Open the bench and pick the port. The board is reset into its boot ROM.' },
  { name: 'Measure', text: 'Scan, read, write and watch from the browser. Every step is in the bus log.' },
  { name: 'Leave', text: 'Pins are released, and one reset starts the firmware that was there before.' },
];

export const benefits: readonly Point[] = [
  {
    name: 'Nothing is flashed',
    text: 'The instruments are register commands of the boot ROM. The flash is never written to.',
  },
  {
    name: 'Nothing to install',
    text: 'The browser is the instrument. It works on any computer with Chrome, Edge or Firefox.',
  },
  { name: 'Readable registers', text: 'Registers of the chip are shown bit by bit, with the names of their fields.' },
  {
    name: 'Dangerous pins are locked',
    text: 'Pins of the flash and of the serial link cannot be driven, and each says why.',
  },
];

/** Ways to run the bench, by how much of the board they use. The first is enough for most users. */
export const ways: readonly Point[] = [
  {
    name: 'From the boot ROM',
    text: 'No firmware at all. Pins, I2C, SPI, analog, PWM, edge counter, registers, and a UART bridge that is half duplex.',
  },
  {
    name: 'From RAM',
    text: 'A program of 4 KB for what the ROM is too slow for, such as a UART bridge both ways. Gone after a reset.',
  },
  ...(hasServer
    ? [
        {
          name: 'From flash',
          text: 'The same program as a release, for a board that stays an instrument. It replaces what is in the flash.',
        },
      ]
    : []),
];

export const cloudKinds: readonly Point[] = [
  { name: 'Power Management', text: 'Chargers, fuel gauges, converters' },
  { name: 'Sensors', text: 'Temperature, pressure, motion, light' },
  { name: 'Displays', text: 'OLED, TFT, e-paper, LED drivers' },
  { name: 'Motor Control', text: 'Steppers, H-bridges, servos' },
  { name: 'Audio', text: 'Codecs, amplifiers, microphones' },
  { name: 'Storage', text: 'EEPROM, flash, FRAM' },
  { name: 'Custom ICs', text: 'Anything you have a datasheet for' },
];

export const contributing: readonly Point[] = [
  { name: 'Create', text: 'Describe a chip, or collect the messages that drive a device.' },
  { name: 'Test', text: 'Load it afresh, and run it on real hardware.' },
  { name: 'Share', text: 'Turn on the share toggle of your JKit.' },
  { name: 'Get recognition', text: 'Others find, star and rate it under your name.' },
];
