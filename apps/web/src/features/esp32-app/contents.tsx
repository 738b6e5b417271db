/** What the landing page says, apart from how it is drawn. */
import { ArrowLeftRight, Binary, Cable, CircuitBoard, ScanSearch, Waves } from 'lucide-react';
import type { ReactNode } from 'react';

export interface Point {
  readonly name: string;
  readonly text: string;
  readonly icon?: ReactNode;
}

export const capabilities: readonly Point[] = [
  { name: 'Pin configuration', text: 'Any GPIO as input, output, PWM or pull-up.', icon: <CircuitBoard /> },
  { name: 'I2C scanning', text: 'Finds devices, reads and writes registers.', icon: <ScanSearch /> },
  { name: 'SPI', text: 'All four modes, with a chip select of your choice.', icon: <ArrowLeftRight /> },
  { name: 'Analog sampling', text: 'Voltages over time, on pins with an ADC.', icon: <Waves /> },
  { name: 'UART bridging', text: 'A second serial port for the circuit under test.', icon: <Cable /> },
  { name: 'Register bits', text: 'Flip one bit and see what the chip does.', icon: <Binary /> },
];

export const steps: readonly Point[] = [
  { name: 'Flash', text: 'Open the release, pick the board and flash. The page checks the chip first.' },
  { name: 'Connect', text: 'Wire the board to the circuit: ground first, then the pins you need.' },
  { name: 'Configure', text: 'Choose what each pin is: part of a bus, an input or an output.' },
  { name: 'Probe', text: 'Scan, read, write and watch from the browser.' },
];

export const benefits: readonly Point[] = [
  { name: 'For the price of a board', text: 'For many tasks, one ESP32 board replaces a drawer full of adapters.' },
  { name: 'Nothing to install', text: 'The browser is the instrument. It works on any computer with Chrome or Edge.' },
  { name: 'Readable registers', text: 'Every register is shown bit by bit, with the meaning of each bit.' },
  { name: 'Saves what you learned', text: 'What took you an evening becomes a JKit that loads with one click.' },
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
  { name: 'Create', text: 'Collect the messages that drive a device.' },
  { name: 'Test', text: 'Load them into a fresh panel and run them on real hardware.' },
  { name: 'Share', text: 'Turn on the share toggle of your JKit.' },
  { name: 'Get recognition', text: 'Others find, star and rate it under your name.' },
];
