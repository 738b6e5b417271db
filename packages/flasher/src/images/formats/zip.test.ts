import fc from 'fast-check';
import { deflateSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../core/bytes.ts';
import { ImageError } from '../image-error.ts';
import { readNestedZip, readZip, zipLimits } from './zip.ts';

function codeOf(bytes: Uint8Array): string {
  try {
    readZip(bytes);
    return 'none';
  } catch (error) {
    if (error instanceof ImageError) {
      return error.code;
    }
    throw error;
  }
}

/** Returns the offset of the first entry in the central directory. */
function directoryOf(zip: Uint8Array): number {
  return viewOf(zip).getUint32(zip.length - 6, true);
}

/** The date is fixed, because it is in the headers and tests change single bytes. */
const packed = () =>
  zipSync({ 'a.bin': new Uint8Array(5_000).fill(7), 'folder/b.bin': strToU8('hello') }, { mtime: '2026-01-01' });

describe('zip archive', () => {
  it('is read as it was packed, stored or deflated, without folders and what macOS adds', () => {
    const name = fc
      .string({ unit: fc.constantFrom(...'abcxyzäß-_ .'), minLength: 1, maxLength: 8 })
      .filter((text) => !/^\.*$/.test(text));
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.uint8Array({ maxLength: 500 }), { noNullPrototype: true, maxKeys: 6 }),
        fc.constantFrom(0, 6),
        (files, level) => {
          const extra = { folder: {}, __MACOSX: { x: Uint8Array.of(1) }, '.DS_Store': Uint8Array.of(2) } as const;
          const found = readZip(zipSync({ ...files, ...extra }, { level: level === 0 ? 0 : 6 }));
          expect(Object.fromEntries(found.map((file) => [file.name, file.bytes]))).toEqual(files);
        },
      ),
    );
  });

  it.each([
    '../evil.bin',
    '/etc/passwd',
    'a/../../b',
    'C:/x.bin',
    '\\\\host\\x',
    'a/..',
    'a\\..\\..\\b',
    'line\nbreak',
  ])('is refused with a file called %j', (name) => {
    expect(codeOf(zipSync({ [name]: strToU8('x') }))).toBe('zip-unsafe-name');
  });

  it.each([
    ['./a', 'a'],
    ['.\\a.bin', 'a.bin'],
    ['a/./b', 'a/b'],
    ['a//b', 'a/b'],
    ['a/../b', 'b'],
    ['a\\..\\b\\..\\c', 'c'],
  ])('reads %j as %j', (stored, name) => {
    expect(readZip(zipSync({ [stored]: strToU8('x') })).map((file) => file.name)).toEqual([name]);
  });

  it('is refused with two files whose paths lead to the same place', () => {
    expect(codeOf(zipSync({ './a': strToU8('x'), 'b/../a': strToU8('y') }))).toBe('zip-damaged');
  });

  it('is refused before unpacking if it announces more than any flash holds', () => {
    const zip = packed();
    viewOf(zip).setUint32(directoryOf(zip) + 24, zipLimits.bytes + 1, true);
    expect(codeOf(zip)).toBe('zip-too-large');
  });

  it('is given up early if it unpacks to more than it announces', () => {
    const bomb = zipSync({ 'bomb.bin': new Uint8Array(3_000_000) });
    viewOf(bomb).setUint32(directoryOf(bomb) + 24, 1_000, true);
    expect(codeOf(bomb)).toBe('zip-damaged');
  });

  it('is refused with a password, an unknown method or too many files', () => {
    const encrypted = packed();
    viewOf(encrypted).setUint16(directoryOf(encrypted) + 8, 1, true);
    expect(codeOf(encrypted)).toBe('zip-encrypted');
    const method = packed();
    viewOf(method).setUint16(directoryOf(method) + 10, 93, true);
    expect(codeOf(method)).toBe('zip-method');
    const many = packed();
    viewOf(many).setUint16(many.length - 12, zipLimits.files + 1, true);
    expect(codeOf(many)).toBe('zip-too-large');
  });

  it('is refused with damaged contents', () => {
    const zip = packed();
    const position = zip.indexOf(deflateSync(new Uint8Array(5_000).fill(7))[3] ?? 0, 40);
    zip[position] = (zip[position] ?? 0) ^ 0x10;
    expect(codeOf(zip)).toBe('zip-damaged');
    expect(codeOf(packed().subarray(0, 60))).toBe('not-zip');
    expect(codeOf(new Uint8Array())).toBe('not-zip');
  });

  it('is read or refused with a code for any bytes', () => {
    const zip = packed();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Uint8Array.from(zip);
        for (const [at, value] of changes) {
          bytes[at] = value;
        }
        expect(codeOf(bytes)).toMatch(/^(none|not-zip|zip-[a-z-]+)$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('zip archive in a zip archive', () => {
  const namesIn = (bytes: Uint8Array) => readNestedZip(bytes).map(({ name }) => name);

  it('is opened in its place, to the third', () => {
    const at = (depth: number): Uint8Array =>
      depth === 0 ? packed() : zipSync({ 'b.txt': strToU8('b'), [`${depth}.zip`]: at(depth - 1) });
    expect(namesIn(at(1))).toEqual(['b.txt', '1.zip/a.bin', '1.zip/folder/b.bin']);
    expect(namesIn(at(2))).toEqual(['b.txt', '2.zip/b.txt', '2.zip/1.zip/a.bin', '2.zip/1.zip/folder/b.bin']);
    expect(namesIn(at(3))).toEqual(['b.txt', '3.zip/b.txt', '3.zip/2.zip/b.txt', '3.zip/2.zip/1.zip']);
  });

  it('stays as it is when it cannot be opened', () => {
    const damaged = packed().subarray(0, 60);
    expect(namesIn(zipSync({ 'x.zip': damaged, 'y.zip': packed() }))).toEqual([
      'x.zip',
      'y.zip/a.bin',
      'y.zip/folder/b.bin',
    ]);
  });

  it('counts towards the limit of the whole', () => {
    const large = zipSync({ a: new Uint8Array(zipLimits.bytes / 2) });
    expect(namesIn(zipSync({ 'x.zip': large }))).toEqual(['x.zip/a']);
    const both = zipSync({ 'x.zip': large, 'y.zip': large });
    expect(() => readNestedZip(both)).toThrow(expect.objectContaining({ code: 'zip-too-large' }));
  });
});
