/**
 * Names the memory of a Nordic chip outside of its flash. Sources: the product specifications, "Memory map", of
 * nRF51822, nRF52832, nRF52840, nRF5340, nRF9160 and nRF54L15.
 */
import { addressText, sizeText } from '../../core/bytes.ts';

const KIB = 1_024;

/** Memory areas: name, start, size. The first match counts. */
const rows = [
  // In this order: nRF51 and nRF52; nRF53 and nRF91; network core of nRF53; nRF54L.
  ['UICR', 0x1000_1000, 4 * KIB],
  ['UICR', 0x00ff_8000, 4 * KIB],
  ['UICR', 0x01ff_8000, 4 * KIB],
  ['UICR', 0x00ff_d000, 4 * KIB],
  ['FICR', 0x1000_0000, 4 * KIB],
  ['FICR', 0x00ff_0000, 4 * KIB],
  ['FICR', 0x01ff_0000, 4 * KIB],
  ['FICR', 0x00ff_c000, 4 * KIB],
  ['external flash (QSPI)', 0x1000_0000, 0x1000_0000],
  ['RAM', 0x2000_0000, 0x2000_0000],
] as const;

/** Returns `12 bytes for UICR at 0x10001000`, or `40 KiB at 0x0` for flash. */
export function nordicPartText(address: number, size: number): string {
  const [name] = rows.find(([, start, length]) => address >= start && address < start + length) ?? [];
  return `${sizeText(size)}${name === undefined ? '' : ` for ${name}`} at ${addressText(address)}`;
}
