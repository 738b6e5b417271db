/**
 * Firmware for demo devices only: it carries the text that a simulated board prints, behind this mark. On a real chip it does
 * nothing, so flashers refuse to write it there.
 */
import { asciiBytes, indexOfBytes } from '../core/bytes.ts';

const mark = asciiBytes('wirebench-boot-text:');

export function isDemoFirmware(bytes: Uint8Array): boolean {
  return indexOfBytes(bytes, mark) >= 0;
}
