import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { buildDfuse, buildElf, buildIntelHex, buildSRecords, buildUf2 } from './testing/formats.ts';
import { wholenessOf } from './wholeness.ts';

const bytes = Uint8Array.from({ length: 700 }, (_, index) => (index * 37 + 11) & 255);
const stretch = { address: 0x0800_0000, bytes };
const json = new TextEncoder().encode(JSON.stringify({ flash_files: { '0x10000': 'app.bin' } }));

const files: readonly (readonly [string, Uint8Array])[] = [
  ['app.hex', buildIntelHex([stretch])],
  ['app.srec', buildSRecords([stretch])],
  ['app.uf2', buildUf2(stretch)],
  ['app.elf', buildElf([stretch])],
  ['app.dfu', buildDfuse([{ elements: [stretch] }])],
  ['app.zip', zipSync({ 'app.bin': bytes })],
  ['flasher_args.json', json],
  ['manifest.json', Buffer.from(`\ufeff${new TextDecoder().decode(json)}`, 'utf16le')],
];

describe('a file that a build is writing', () => {
  it.each(files)('%s is whole at its end, and at no byte before it', (name, whole) => {
    expect(wholenessOf(name, whole, null)).toBe('whole');
    // The last characters of a text are its line break.
    const last = whole.length - (name.endsWith('.hex') || name.endsWith('.srec') ? 3 : 1);
    const lengths = Array.from({ length: 60 }, (_, index) => Math.floor((index * last) / 59));
    expect(lengths.filter((length) => wholenessOf(name, whole.slice(0, length), null) === 'whole')).toEqual([]);
  });

  it('is torn if a name with a format holds none of it yet', () => {
    expect(wholenessOf('app.hex', new Uint8Array(64), null)).toBe('torn');
  });
});

describe('a raw binary', () => {
  const program = buildElf([stretch, { address: stretch.address + 0x400, bytes: bytes.subarray(0, 40) }]);
  const image = new Uint8Array(0x400 + 40);
  image.set(bytes);
  image.set(bytes.subarray(0, 40), 0x400);

  it('is whole if it holds the sections of the ELF file beside it', () => {
    expect(wholenessOf('app.bin', image, program)).toBe('whole');
  });

  it('is stale at every shorter length and with any other byte of a section', () => {
    expect(wholenessOf('app.bin', image.slice(0, -1), program)).toBe('stale');
    expect(wholenessOf('app.bin', image.slice(0, bytes.length), program)).toBe('stale');
    expect(wholenessOf('app.bin', image.with(0x400, 0), program)).toBe('stale');
  });

  it('is torn while its ELF file cannot be read', () => {
    expect(wholenessOf('app.bin', image, program.slice(0, 100))).toBe('torn');
  });

  it('proves nothing without an ELF file', () => {
    expect(wholenessOf('app.bin', image, null)).toBe('unproven');
  });

  it('need not hold the option bytes of the ELF file', () => {
    const withOptions = buildElf([stretch, { address: 0x1fff_7800, bytes: bytes.subarray(0, 8) }]);
    expect(wholenessOf('app.bin', bytes, withOptions)).toBe('whole');
  });
});
