/** Programs for an AVR, in machine code. */
import { noise } from '../../../testing/program.ts';

/** `rjmp .-2`: loops at address 0. */
const loop = [0xff, 0xcf];

/** Returns a program of `length` bytes that does nothing. Every byte value occurs behind its first instruction. */
export function sketch(length: number, seed = 1): Uint8Array {
  const bytes = noise(length, seed);
  bytes.set(loop);
  return bytes;
}

/** Program for an ATmega328P at 16 MHz that sends 8, 9, 10 and so on at 115,200 baud without a pause. */
export const floodingSketch = Uint8Array.from([
  // r16 = 16: UBRR0L, r16 = 2 (U2X0): UCSR0A, r16 = 8 (TXEN0): UCSR0B
  0x00, 0xe1, 0x00, 0x93, 0xc4, 0x00, 0x02, 0xe0, 0x00, 0x93, 0xc0, 0x00, 0x08, 0xe0, 0x00, 0x93, 0xc1, 0x00,
  // Waits for UDRE0 in UCSR0A, sends r16, increments it, and repeats.
  0x10, 0x91, 0xc0, 0x00, 0x15, 0xff, 0xfc, 0xcf, 0x00, 0x93, 0xc6, 0x00, 0x03, 0x95, 0xf8, 0xcf,
]);
