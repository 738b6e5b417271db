/**
 * Arduino boards with the sketch StandardFirmata of the Arduino IDE (File, Examples, Firmata): Firmata protocol 2.5,
 * `protocol.md`. Port 1 has the pins 8 to 15.
 */
import type { LibraryJkit } from './library-jkit.ts';

const request = (bytes: string, answer: string) =>
  ({ content: bytes, type: 'hex', expect: { content: answer, type: 'hex' } }) as const;

const send = (bytes: string) => ({ content: bytes, type: 'hex' }) as const;

const blink = [
  { ...send('F5 0D 01'), delayMs: 500 },
  { ...send('F5 0D 00'), delayMs: 500 },
] as const;

export const arduinoFirmata: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00f',
  name: 'Arduino with StandardFirmata',
  description:
    'For any Arduino board with the example sketch StandardFirmata, 57600 baud: version, name of the sketch, abilities of its pins, LED on pin 13 on and off, pin 9 at half brightness, a reading of A0 each second, pins 2 to 7 as inputs, reset of the sketch. An Uno resets when its port opens: wait until the sketch has sent its name.',
  tags: ['Arduino', 'Firmata', 'Uno', 'Nano', 'Mega', 'Leonardo', 'GPIO', 'ADC', 'PWM'],
  content: {
    settings: { lineEnding: true, ending: 'none' },
    fields: [
      request('F9', 'F9'),
      request('F0 79 F7', 'F0 79'),
      request('F0 6B F7', 'F0 6C'),
      request('F0 69 F7', 'F0 6A'),
      // Pin 13 is an output.
      send('F4 0D 01'),
      ...blink,
      ...blink,
      request('F0 6D 0D F7', 'F0 6E 0D 01'),
      // Pin 9 is PWM, at 128 of 255.
      send('F4 09 03'),
      send('E9 00 01'),
      // One sample in 1,000 ms, then reports of A0 for five seconds.
      send('F0 7A 68 07 F7'),
      { ...request('C0 01', 'E0'), timeoutMs: 3_000, delayMs: 5_000 },
      send('C0 00'),
      request('D0 01', '90'),
      send('D0 00'),
      send('FF'),
    ],
  },
};
