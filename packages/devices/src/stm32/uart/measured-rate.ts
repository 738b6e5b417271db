/**
 * How the bootloader finds out a host's rate: it measures the first byte that it receives and takes it for 0x7F (AN3155, sections 1
 * and 2; AN2606, section on USART connection timing: from the first rising edge to the falling edge after it).
 */
import { parityBit, type UartSettings } from '../../wire/link.ts';

/** AN3155, section 2.1: below this rate the timer overflows. */
const lowestRate = 1_200;
/** 0x7F has so many high bits in a row. */
const expectedBits = 7;

/**
 * The rate that comes of it when a host sends `byte` as its first; null when nothing can be measured: the line does not fall
 * again within the frame, or the rate is beyond what the timer can take. Right for 0x7F with eight data bits, whatever the
 * parity; wrong for other bytes.
 */
export function measuredRate(byte: number, host: UartSettings, highestRate: number): number | null {
  const bits = Array.from({ length: host.dataBits }, (_, index) => (byte >> index) & 1);
  const line = host.parity === 'none' ? bits : [...bits, parityBit(byte, host)];
  const rise = line.indexOf(1);
  const fall = line.indexOf(0, rise);
  if (rise < 0 || fall < 0) {
    return null;
  }
  const rate = (host.baudRate * expectedBits) / (fall - rise);
  return rate < lowestRate || rate > highestRate ? null : rate;
}
