import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../testing/bytes-source.ts';
import { type ElfFile, type Section, sectionFlag } from './elf-file.ts';
import { readSection } from './section-data.ts';

const content = Uint8Array.from({ length: 10_000 }, (_, index) => (index * index) & 0xff);
const packed = deflateSync(content);

function file(is64: boolean, littleEndian: boolean): ElfFile {
  return { machine: 'other', is64, littleEndian, sections: [] };
}

function section(name: string, size: number, flags = 0): Section {
  return { name, size, flags, type: 1, address: 0, offset: 0, link: 0 };
}

function compressionHeader(is64: boolean, littleEndian: boolean, type: number, size: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(is64 ? 24 : 12));
  header.setUint32(0, type, littleEndian);
  if (is64) {
    header.setBigUint64(8, BigInt(size), littleEndian);
  } else {
    header.setUint32(4, size, littleEndian);
  }
  return new Uint8Array(header.buffer);
}

function read(bytes: Uint8Array, elf: ElfFile, name: string, flags = 0): Promise<Uint8Array | null> {
  return readSection(bytesSource(bytes), elf, section(name, bytes.length, flags));
}

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('compressed section', () => {
  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('is unpacked (64 bit %s, little endian %s)', async (is64, littleEndian) => {
    const bytes = joined(compressionHeader(is64, littleEndian, 1, content.length), packed);
    expect(await read(bytes, file(is64, littleEndian), '.debug_info', sectionFlag.compressed)).toEqual(content);
  });

  it('is unpacked in the older form of GNU, whose size is big-endian', async () => {
    const size = compressionHeader(true, false, 0, content.length).subarray(8, 16);
    const bytes = joined(new TextEncoder().encode('ZLIB'), size, packed);
    expect(await read(bytes, file(false, true), '.zdebug_info')).toEqual(content);
  });

  it('is refused by name when it is packed in a way that browsers lack', async () => {
    const bytes = joined(compressionHeader(true, true, 2, content.length), packed);
    await expect(read(bytes, file(true, true), '.debug_info', sectionFlag.compressed)).rejects.toMatchObject({
      code: 'unsupported-compression',
    });
  });

  it.each([
    ['says a size that is too small', content.length - 1],
    ['says a size that is too big', content.length + 1],
    ['says a size that nothing can have', 2 ** 40],
  ])('is damaged when it %s', async (_, size) => {
    const bytes = joined(compressionHeader(true, true, 1, size), packed);
    await expect(read(bytes, file(true, true), '.debug_info', sectionFlag.compressed)).rejects.toMatchObject({
      code: 'damaged-section',
    });
  });

  it('is damaged when its packed bytes are', async () => {
    const bytes = joined(compressionHeader(true, true, 1, content.length), packed.subarray(0, 100));
    await expect(read(bytes, file(true, true), '.debug_info', sectionFlag.compressed)).rejects.toMatchObject({
      code: 'damaged-section',
    });
  });
});
