import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMemoryFile } from '../../images/formats/memory-file.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { buildTable, factoryLayout } from '../testing/esp-data.ts';
import { flasherArgs, webToolsManifest } from './lists.ts';
import { mergeHex } from './merge-hex.ts';
import { type MergePart, mergeRaw, paddingOf } from './merge-raw.ts';
import { mergeUf2 } from './merge-uf2.ts';

/** Returns parts in any order, some adjacent, with lengths that end anywhere. */
const partSets: fc.Arbitrary<MergePart[]> = fc
  .array(fc.record({ gap: fc.nat(30), bytes: fc.uint8Array({ minLength: 1, maxLength: 9_000 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((list) => {
    let at = 0;
    return list.map(({ gap, bytes }, index) => {
      const offset = at + gap * 0x1000;
      at = Math.ceil((offset + bytes.length) / 0x1000) * 0x1000;
      return { name: `part-${index}`, offset, bytes };
    });
  });

/** Returns flash with the parts of a file in it, from the reader of dropped files. */
function flashOf(name: string, content: Uint8Array, size: number): Uint8Array {
  const flash = new Uint8Array(size).fill(0xff);
  for (const { address, bytes } of readMemoryFile(content, 0, { name }).segments) {
    flash.set(bytes, address);
  }
  return flash;
}

describe('a merged image', () => {
  it('has each part at its place as raw bytes, and 0xFF between them', () => {
    fc.assert(
      fc.property(partSets, (parts) => {
        const merged = mergeRaw(parts);
        for (const { offset, bytes } of parts) {
          expect(merged.subarray(offset, offset + bytes.length)).toEqual(bytes);
        }
        const last = parts.at(-1);
        expect(merged.length).toBe((last?.offset ?? 0) + (last?.bytes.length ?? 0));
      }),
      { numRuns: 30 },
    );
  });

  it('holds the same bytes as Intel HEX, with nothing in its gaps', () => {
    fc.assert(
      fc.property(partSets, (parts) => {
        const raw = mergeRaw(parts);
        const text = mergeHex([...parts].reverse());
        expect(flashOf('a.hex', new TextEncoder().encode(text), raw.length)).toEqual(raw);
        const data = text.split('\n').filter((line) => /^:..(....)00/.test(line));
        const total = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
        expect(data.reduce((sum, line) => sum + Number.parseInt(line.slice(1, 3), 16), 0)).toBe(total);
      }),
      { numRuns: 30 },
    );
  });

  it('holds the same bytes as UF2', () => {
    fc.assert(
      fc.property(partSets, (parts) => {
        const [only] = parts;
        const raw = mergeRaw(only === undefined ? parts : [only]);
        const file = mergeUf2(only === undefined ? parts : [only], 0x1c5f_21b0);
        expect(flashOf('a.uf2', file, raw.length)).toEqual(raw);
      }),
      { numRuns: 30 },
    );
  });

  it('names the partitions that the padding of a raw file erases', () => {
    const { partitions } = readPartitionTable(buildTable(factoryLayout));
    const parts = [
      { name: 'bootloader.bin', offset: 0x1000, bytes: new Uint8Array(0x5000) },
      { name: 'partition-table.bin', offset: 0x8000, bytes: new Uint8Array(0xc00) },
      { name: 'app.bin', offset: 0x10000, bytes: new Uint8Array(0x4000) },
    ];
    expect(paddingOf(parts, partitions).map(({ name }) => name)).toEqual(['nvs', 'phy_init']);
    expect(paddingOf(parts.slice(0, 2), partitions)).toEqual([]);
  });

  it('is refused for parts that overlap, and for none', () => {
    const part = { name: 'a', offset: 0, bytes: new Uint8Array(0x2000) };
    expect(() => mergeRaw([part, { ...part, name: 'b', offset: 0x1000 }])).toThrow('a and b overlap.');
    expect(() => mergeRaw([])).toThrow('nothing to merge');
  });

  it('is listed for esptool and for ESP Web Tools', () => {
    const list = {
      chip: 'esp32s3',
      name: 'weather-node',
      version: '1.3.2',
      images: [{ path: 'merged.bin', offset: 0 }],
    } as const;
    expect(JSON.parse(flasherArgs(list))).toMatchObject({
      flash_files: { '0x0': 'merged.bin' },
      extra_esptool_args: { chip: 'esp32s3' },
    });
    expect(JSON.parse(webToolsManifest(list))).toMatchObject({
      name: 'weather-node',
      version: '1.3.2',
      builds: [{ chipFamily: 'ESP32-S3', parts: [{ path: 'merged.bin', offset: 0 }] }],
    });
  });
});
