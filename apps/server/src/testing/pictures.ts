/** Pictures for tests: the structure of each format as its document has it, without real pixels. */

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const usual: PictureSize = { width: 1_600, height: 1_172 };

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const chunk = (name: string, content: Buffer) =>
  Buffer.concat([u32(content.length), Buffer.from(name), content, Buffer.alloc(4)]);

/** @param content Bytes of the pixels, by which two pictures differ. @param more Further chunks. */
export const pngFile = ({ width, height } = usual, content = 'pixels', more: readonly string[] = []): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 6, 0, 0, 0])])),
    ...more.map((name) => chunk(name, Buffer.alloc(8))),
    chunk('IDAT', Buffer.from(content)),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** @param frame Marker of the frame: baseline, or progressive (`0xc2`). */
export const jpegFile = ({ width, height } = usual, frame = 0xc0): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    u16(16),
    Buffer.from('JFIF\0'.padEnd(14, '\0')),
    Buffer.from([0xff, 0xc4]),
    u16(19),
    Buffer.alloc(17),
    Buffer.from([0xff, frame]),
    u16(11),
    Buffer.from([8]),
    u16(height),
    u16(width),
    Buffer.from([1, 1, 0x11, 0]),
    Buffer.from([0xff, 0xda]),
    u16(8),
    Buffer.alloc(6),
    Buffer.from('coded pixels'),
    Buffer.from([0xff, 0xd9]),
  ]);

const riff = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(20);
  head.write('RIFF', 0);
  head.writeUInt32LE(12 + content.length, 4);
  head.write('WEBP', 8);
  head.write(name, 12);
  head.writeUInt32LE(content.length, 16);
  return Buffer.concat([head, content]);
};

export function webpFile(
  kind: 'lossy' | 'lossless' | 'extended',
  { width, height } = usual,
  { moving = false } = {},
): Buffer {
  switch (kind) {
    case 'lossy': {
      const content = Buffer.alloc(30);
      content.set([0x9d, 0x01, 0x2a], 3);
      content.writeUInt16LE(width, 6);
      content.writeUInt16LE(height, 8);
      return riff('VP8 ', content);
    }
    case 'lossless': {
      const content = Buffer.alloc(16);
      content[0] = 0x2f;
      content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
      return riff('VP8L', content);
    }
    case 'extended': {
      const content = Buffer.alloc(10);
      content[0] = moving ? 0x02 : 0;
      content.writeUIntLE(width - 1, 4, 3);
      content.writeUIntLE(height - 1, 7, 3);
      return riff('VP8X', content);
    }
  }
}

const box = (name: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([u32(8 + bytes.length), Buffer.from(name), bytes]);
};

/** A picture of two tiles, whose own size is the largest. */
export function avifFile({ width, height } = usual, brand = 'avif'): Buffer {
  const extent = (size: PictureSize) => box('ispe', u32(0), u32(size.width), u32(size.height));
  const sizes = [extent({ width: width / 2, height }), extent({ width, height })];
  return Buffer.concat([
    box('ftyp', Buffer.from(brand), u32(0), Buffer.from('mif1')),
    box('meta', u32(0), box('hdlr', Buffer.alloc(20)), box('iprp', box('ipco', ...sizes))),
    box('mdat', Buffer.from('coded pixels')),
  ]);
}
