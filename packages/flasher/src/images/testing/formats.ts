/**
 * Builds Intel HEX, S-records, TI-TXT, UF2, DFU, DfuSe and ELF files for tests. Written from the documents, without the code
 * under test.
 */

export interface Stretch {
  readonly address: number;
  readonly bytes: Uint8Array;
}

export function hexRecord(type: number, address: number, data: readonly number[]): string {
  const bytes = [data.length, address >> 8, address & 255, type, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${[...bytes, -sum & 255].map((byte) => (byte & 255).toString(16).padStart(2, '0').toUpperCase()).join('')}`;
}

/** Builds an Intel HEX file with linear addresses, or with segments if all data is below 1 MiB. */
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

/** @param type 0 to 9; determines the length of the address. */
export function sRecordLine(type: number, address: number, data: readonly number[]): string {
  const size = [2, 2, 3, 4, 0, 2, 3, 4, 3, 2][type] ?? 0;
  const place = Array.from({ length: size }, (_, index) => Math.floor(address / 256 ** (size - 1 - index)) % 256);
  const bytes = [size + data.length + 1, ...place, ...data];
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const digits = [...bytes, 255 - (sum % 256)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase());
  return `S${type}${digits.join('')}`;
}

/** @param options.counted True: add an S5 record with the number of data records. */
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

/** Builds a TI-TXT file with one section for each stretch. */
export function buildTiTxt(
  stretches: readonly Stretch[],
  { width = 16, newline = '\n' }: { width?: number; newline?: string } = {},
): Uint8Array {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0').toUpperCase();
  const lines: string[] = [];
  for (const { address, bytes } of stretches) {
    lines.push(`@${hex(address, 4)}`);
    for (let at = 0; at < bytes.length; at += width) {
      lines.push(Array.from(bytes.subarray(at, at + width), (byte) => hex(byte, 2)).join(' '));
    }
  }
  return new TextEncoder().encode([...lines, 'q'].join(newline) + newline);
}

export function buildUf2(stretch: Stretch, family: number | null = 0xada52840, payload = 256): Uint8Array {
  return buildUf2Blocks(uf2Blocks(stretch, { family, payload }));
}

/** One block of a UF2 file, with the fields of its specification. */
export interface Uf2BlockFields {
  readonly flags?: number;
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly total: number;
  /** Null: the flag for a family is not set. */
  readonly family: number | null;
  /** Bytes after the payload: the last bytes of the data, or tags. */
  readonly behind?: Uint8Array;
}

/**
 * @param options.first Number of the first block. `total` counts all blocks of the file, if there are more than
 *   these.
 */
export function uf2Blocks(
  { address, bytes }: Stretch,
  options: { family?: number | null; payload?: number; first?: number; total?: number; flags?: number } = {},
): Uf2BlockFields[] {
  const { family = 0xada52840, payload = 256, first = 0, flags = 0 } = options;
  const count = Math.ceil(bytes.length / payload);
  return Array.from({ length: count }, (_, index) => ({
    flags,
    address: address + index * payload,
    bytes: bytes.subarray(index * payload, (index + 1) * payload),
    number: first + index,
    total: options.total ?? count,
    family,
  }));
}

export function buildUf2Blocks(blocks: readonly Uf2BlockFields[]): Uint8Array {
  const file = Buffer.alloc(512 * blocks.length);
  blocks.forEach(({ flags = 0, address, bytes, number, total, family, behind }, index) => {
    const start = 512 * index;
    const words = [
      0x0a324655,
      0x9e5d5157,
      flags + (family === null ? 0 : 0x2000),
      address,
      bytes.length,
      number,
      total,
    ];
    [...words, family ?? bytes.length].forEach((word, field) => {
      file.writeUInt32LE(word, start + 4 * field);
    });
    file.fill(0xff, start + 32, start + 508);
    file.set(bytes, start + 32);
    file.set(behind ?? [], start + 32 + bytes.length);
    file.writeUInt32LE(0x0ab16f30, start + 508);
  });
  return Uint8Array.from(file);
}

export interface DfuDevice {
  readonly vendor?: number;
  readonly product?: number;
  readonly device?: number;
  /** USB `bcdDFU`. */
  readonly version?: number;
}

/** Appends the suffix of a DFU file (USB DFU 1.1, appendix B). */
export function withDfuSuffix(
  content: Uint8Array,
  { vendor = 0xffff, product = 0xffff, device = 0xffff, version = 0x0100 }: DfuDevice = {},
): Uint8Array {
  const file = Buffer.alloc(content.length + 16);
  file.set(content);
  [device, product, vendor, version].forEach((word, index) => {
    file.writeUInt16LE(word, content.length + 2 * index);
  });
  file.write('UFD', content.length + 8);
  file.writeUInt8(16, content.length + 11);
  let crc = 0xffffffff;
  for (const byte of file.subarray(0, -4)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  file.writeUInt32LE(crc >>> 0, content.length + 12);
  return Uint8Array.from(file);
}

export interface DfuseTargetFields {
  readonly alternate?: number;
  readonly name?: string;
  readonly elements: readonly Stretch[];
}

/** Builds a DfuSe file with one target for each alternate setting (ST UM0391). */
export function buildDfuse(targets: readonly DfuseTargetFields[], device: DfuDevice = {}): Uint8Array {
  const parts = targets.map(({ alternate = 0, name, elements }) => {
    const data = Buffer.concat(
      elements.map(({ address, bytes }) => {
        const head = Buffer.alloc(8);
        head.writeUInt32LE(address, 0);
        head.writeUInt32LE(bytes.length, 4);
        return Buffer.concat([head, bytes]);
      }),
    );
    const head = Buffer.alloc(274);
    head.write('Target');
    head.writeUInt8(alternate, 6);
    head.writeUInt32LE(name === undefined ? 0 : 1, 7);
    head.write(name ?? '', 11);
    head.writeUInt32LE(data.length, 266);
    head.writeUInt32LE(elements.length, 270);
    return Buffer.concat([head, data]);
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(11);
  head.write('DfuSe');
  head.writeUInt8(1, 5);
  head.writeUInt32LE(11 + body.length, 6);
  head.writeUInt8(targets.length, 10);
  return withDfuSuffix(Buffer.concat([head, body]), { vendor: 0x0483, product: 0xdf11, version: 0x011a, ...device });
}

/** Builds a 32-bit ELF file with one loadable segment for each stretch and without sections. */
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
    // Linked to run in RAM but loaded from flash, so only the physical address may be used.
    [1, position, 0x20000000, address, bytes.length, bytes.length + 8].forEach((word, field) => {
      view.setUint32(52 + 32 * index + 4 * field, word, little);
    });
    position += bytes.length;
  });
  return Uint8Array.from([...new Uint8Array(view.buffer), ...stretches.flatMap(({ bytes }) => [...bytes])]);
}
