/**
 * The bootloader's detection of a host's rate. It measures the first received byte and assumes that it is 0x7F
 * (AN3155, sections 1 and 2; AN2606, section on USART connection timing: from the first rising edge to the falling
 * edge after it).
 */
import { parityBit, type UartSettings } from '../../wire/link.ts';

/** Lowest rate in baud. Below it the timer overflows (AN3155, section 2.1). */
const lowestRate = 1_200;
/** Number of consecutive high bits of 0x7F. */
const expectedBits = 7;

/**
 * Returns the rate that the bootloader measures if `byte` is the host's first byte. It is right for 0x7F with eight
 * data bits and any parity, and wrong for other bytes. Null if the line does not fall again within the frame, or if
 * the rate is outside the timer's range.
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
