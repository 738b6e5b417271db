/**
 * Recognises firmware for demo devices: it contains this mark and the text that a simulated board prints. It does
 * nothing on a real chip, so flashers refuse to write it there.
 */
import { asciiBytes, indexOfBytes } from '../core/bytes.ts';

const mark = asciiBytes('wirebench-boot-text:');

export function isDemoFirmware(bytes: Uint8Array): boolean {
  return indexOfBytes(bytes, mark) >= 0;
}
