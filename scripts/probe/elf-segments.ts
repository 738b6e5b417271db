/** Reads the loadable segments of a 32-bit little-endian ELF file (ELF specification 1.2, "Program Header"). */

export interface Segment {
  readonly address: number;
  readonly bytes: Buffer;
}

const loadable = 1;

/**
 * Returns the entry address, and the segments with bytes in the file, sorted by address.
 *
 * @throws Error for any other kind of file.
 */
export function loadedFrom(elf: Buffer): { entry: number; segments: Segment[] } {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 1 || elf[5] !== 1) {
    throw new Error('This is no little-endian ELF file of 32 bits.');
  }
  const table = elf.readUInt32LE(28);
  const size = elf.readUInt16LE(42);
  const headers = Array.from({ length: elf.readUInt16LE(44) }, (_, index) => elf.subarray(table + index * size));
  const segments = headers
    .filter((header) => header.readUInt32LE(0) === loadable && header.readUInt32LE(16) > 0)
    .map((header) => ({
      address: header.readUInt32LE(12),
      bytes: elf.subarray(header.readUInt32LE(4)).subarray(0, header.readUInt32LE(16)),
    }));
  return { entry: elf.readUInt32LE(24), segments: segments.toSorted((a, b) => a.address - b.address) };
}
