/** Writes Intel HEX, S-records, UF2 and ELF, and takes zip archives apart to damage them, from the documents and without the code under test. */

export interface Stretch {
  readonly address: number;
  readonly bytes: Uint8Array;
}

export function hexRecord(type: number, address: number, data: readonly number[]): string {
  const bytes = [data.length, address >> 8, address & 255, type, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${[...bytes, -sum & 255].map((byte) => (byte & 255).toString(16).padStart(2, '0').toUpperCase()).join('')}`;
}

/** With linear addresses, or with segments where all is below 1 MiB. */
export function buildIntelHex(
  stretches: readonly Stretch[],
  {
    width = 16,
    mode = 'linear',
    newline = '\n',
  }: { width?: number; mode?: 'linear' | 'segment'; newline?: string } = {},
): Uint8Array {
  const lines: string[] = [];
  let base = -1;
  for (const { address, bytes } of stretches) {
    for (let at = 0; at < bytes.length; ) {
      const place = address + at;
      const high = Math.floor(place / 0x10000);
      if (high !== base) {
        base = high;
        const value = mode === 'linear' ? high : high * 0x1000;
        lines.push(hexRecord(mode === 'linear' ? 4 : 2, 0, [value >> 8, value & 255]));
      }
      const size = Math.min(width, bytes.length - at, 0x10000 - (place % 0x10000));
      lines.push(hexRecord(0, place % 0x10000, [...bytes.subarray(at, at + size)]));
      at += size;
    }
  }
  lines.push(hexRecord(1, 0, []));
  return new TextEncoder().encode(lines.join(newline) + newline);
}

/** @param type 0 to 9, which decides how long the address is. */
export function sRecordLine(type: number, address: number, data: readonly number[]): string {
  const size = [2, 2, 3, 4, 0, 2, 3, 4, 3, 2][type] ?? 0;
  const place = Array.from({ length: size }, (_, index) => Math.floor(address / 256 ** (size - 1 - index)) % 256);
  const bytes = [size + data.length + 1, ...place, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const digits = [...bytes, 255 - (sum % 256)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase());
  return `S${type}${digits.join('')}`;
}

/** @param options.counted with an S5 record that says how many there are. */
export function buildSRecords(
  stretches: readonly Stretch[],
  {
    addressSize = 4,
    width = 16,
    newline = '\n',
    counted = false,
  }: { addressSize?: 2 | 3 | 4; width?: number; newline?: string; counted?: boolean } = {},
): Uint8Array {
  const lines: string[] = [];
  for (const { address, bytes } of stretches) {
    for (let at = 0; at < bytes.length; at += width) {
      lines.push(sRecordLine(addressSize - 1, address + at, [...bytes.subarray(at, at + width)]));
    }
  }
  const count = counted ? [sRecordLine(5, lines.length, [])] : [];
  const end = sRecordLine(11 - addressSize, 0, []);
  return new TextEncoder().encode([...lines, ...count, end].join(newline) + newline);
}

export function buildUf2({ address, bytes }: Stretch, family: number | null = 0xada52840, payload = 256): Uint8Array {
  const total = Math.ceil(bytes.length / payload);
  const file = Buffer.alloc(512 * total);
  for (let number = 0; number < total; number++) {
    const data = bytes.subarray(number * payload, (number + 1) * payload);
    const words = [
      0x0a324655,
      0x9e5d5157,
      family === null ? 0 : 0x2000,
      address + number * payload,
      data.length,
      number,
    ];
    [...words, total, family ?? bytes.length].forEach((word, index) => {
      file.writeUInt32LE(word, 512 * number + 4 * index);
    });
    file.set(data, 512 * number + 32);
    file.writeUInt32LE(0x0ab16f30, 512 * number + 508);
  }
  return Uint8Array.from(file);
}

/** A 32-bit ELF with one loadable segment for each stretch and without sections. */
export function buildElf(
  stretches: readonly Stretch[],
  { machine = 40, type = 2, bigEndian = false } = {},
): Uint8Array {
  const view = new DataView(new ArrayBuffer(52 + 32 * stretches.length));
  const little = !bigEndian;
  new Uint8Array(view.buffer).set([0x7f, 0x45, 0x4c, 0x46, 1, bigEndian ? 2 : 1, 1]);
  view.setUint16(16, type, little);
  view.setUint16(18, machine, little);
  view.setUint32(24, stretches[0]?.address ?? 0, little);
  view.setUint32(28, 52, little);
  view.setUint16(42, 32, little);
  view.setUint16(44, stretches.length, little);
  let position = view.byteLength;
  stretches.forEach(({ address, bytes }, index) => {
    // Linked to run in memory, loaded from flash: the physical address counts.
    [1, position, 0x20000000, address, bytes.length, bytes.length + 8].forEach((word, field) => {
      view.setUint32(52 + 32 * index + 4 * field, word, little);
    });
    position += bytes.length;
  });
  return Uint8Array.from([...new Uint8Array(view.buffer), ...stretches.flatMap(({ bytes }) => [...bytes])]);
}
