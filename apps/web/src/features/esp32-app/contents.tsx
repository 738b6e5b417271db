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
  { name: 'Analog sampling', text: 'Voltages over time, on the pins that can.', icon: <Waves /> },
  { name: 'UART bridging', text: 'A second serial port for the circuit under test.', icon: <Cable /> },
  { name: 'Register bits', text: 'Turn one bit, see what the chip does.', icon: <Binary /> },
];

export const steps: readonly Point[] = [
  { name: 'Flash', text: 'Open the release, pick the board, flash. The page checks the chip first.' },
  { name: 'Connect', text: 'Wire the board to the circuit: ground first, then the pins that you need.' },
  { name: 'Configure', text: 'Choose what each pin is: a bus, an input, an output.' },
  { name: 'Probe', text: 'Scan, read, write and watch, from the browser.' },
];

export const benefits: readonly Point[] = [
  { name: 'Costs what a board costs', text: 'An ESP32 module does for many tasks what a bench full of adapters does.' },
  { name: 'Nothing to install', text: 'The browser is the instrument. It works on any computer with Chrome or Edge.' },
  { name: 'Shows its work', text: 'Registers are shown bit by bit, with what each bit means.' },
  { name: 'Keeps what you found', text: 'What took an evening to find out becomes a JKit that loads with a click.' },
];

export const cloudKinds: readonly Point[] = [
  { name: 'Power Management', text: 'Chargers, fuel gauges, converters' },
  { name: 'Sensors', text: 'Temperature, pressure, motion, light' },
  { name: 'Displays', text: 'OLED, TFT, e-paper, LED drivers' },
  { name: 'Motor Control', text: 'Steppers, H-bridges, servos' },
  { name: 'Audio', text: 'Codecs, amplifiers, microphones' },
  { name: 'Storage', text: 'EEPROM, flash, FRAM' },
  { name: 'Custom ICs', text: 'Whatever you have a datasheet for' },
];

export const contributing: readonly Point[] = [
  { name: 'Create', text: 'Collect the messages that make a device work.' },
  { name: 'Test', text: 'Load them into a fresh panel and run them on real hardware.' },
  { name: 'Share', text: 'Turn on the share toggle of your JKit.' },
  { name: 'Get recognition', text: 'Others find, star and rate it under your name.' },
];
