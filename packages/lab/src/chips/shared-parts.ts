/** Parts that the chips' tables share: the same hardware blocks at other addresses. */
import type { ClockGates, GpioBank, LinkLimits } from './lab-chip.ts';

/**
 * Returns the bank of the first 32 pins. Its registers have the same offsets on each chip.
 *
 * @param base Address of GPIO.
 */
export function firstBank(base: number): GpioBank {
  return {
    first: 0,
    out: base + 0x04,
    outSet: base + 0x08,
    outClear: base + 0x0c,
    enable: base + 0x20,
    enableSet: base + 0x24,
    enableClear: base + 0x28,
    input: base + 0x3c,
  };
}

/**
 * Returns the clock gates of a chip.
 *
 * @param own Bits of gates that differ between the chips.
 */
export function clockGates(
  enable: number,
  reset: number,
  own: Pick<ClockGates['bits'], 'pcnt' | 'sarAdc'>,
): ClockGates {
  return {
    enable,
    reset,
    bits: { uart1: 5, uartMemory: 24, spi2: 6, i2c0: 7, rmt: 9, ledc: 11, ...own },
    enableOnly: [24],
  };
}

/**
 * Returns the limits of a ROM's link.
 *
 * @param bytesBehind Bytes that the ROM's receive ring holds behind the command in work, with a margin.
 * @param delayUnit Real microseconds of one unit of a WRITE_REG delay.
 */
export function linkLimits(bytesBehind: number, delayUnit: number): LinkLimits {
  return { list: 384, pipelinedList: 14, bytesBehind, readsInFlight: 8, delayUnit };
}

/** Size of a UART's FIFO in each direction, in bytes. */
export const uartFifo = 128;

/**
 * Returns the words that may be read on each chip: the straps and the chip's magic word.
 *
 * @param base Address of GPIO.
 */
export const readableWords = (base: number) => [
  { first: base + 0x38, last: base + 0x3b, what: 'the straps' },
  { first: 0x4000_1000, last: 0x4000_1003, what: 'ROM' },
];

export const strapNote = (gpio: number, more = '') => `GPIO ${gpio} chooses how the chip starts${more}.`;
export const flashLock = (gpio: number) => `GPIO ${gpio} is connected to the flash chip.`;
export const linkLock = (gpio: number, what: string) => `GPIO ${gpio} is ${what}, which this connection uses.`;
