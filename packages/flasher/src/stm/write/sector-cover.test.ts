import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverSectors, runsOf, sectorsIn } from '../../core/sector-cover.ts';
import { flashStart, growing16, pages, sectorsOf } from '../parts/flash-layout.ts';
import { StmError } from '../stm-failure.ts';
import { SectorRun } from './sector-run.ts';

const KIB = 1_024;
const sectors = sectorsOf(growing16, 512 * KIB);
const small = sectorsOf(pages(1), 16 * KIB);

describe('sectors that regions touch', () => {
  it('contain every byte of the regions in their pieces, and their other bytes in the rest', () => {
    const size = 32 * KIB;
    const mixed = sectorsOf({ sizes: [1, 1, 4, 8] }, size);
    const region = fc.record({
      offset: fc.integer({ min: 0, max: size - 1 }),
      length: fc.integer({ min: 1, max: 5 * KIB }),
    });
    fc.assert(
      fc.property(fc.array(region, { minLength: 1, maxLength: 5 }), (wanted) => {
        let free = 0;
        const regions = wanted
          .toSorted((one, other) => one.offset - other.offset)
          .flatMap(({ offset, length }, index) => {
            const start = Math.max(free, offset);
            const most = Math.min(length, size - start);
            free = start + most;
            return most > 0 ? [{ offset: flashStart + start, bytes: new Uint8Array(most).fill(index + 1) }] : [];
          });
        const touched = coverSectors(mixed, regions, StmError);
        const memory = Buffer.alloc(size);
        for (const { sector, pieces, others } of touched) {
          const lengths = [...pieces.map(({ bytes }) => bytes.length), ...others.map(({ length }) => length)];
          expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(sector.length);
          for (const { offset, bytes } of pieces) {
            memory.set(bytes, offset - flashStart);
          }
        }
        const expected = Buffer.alloc(size);
        for (const { offset, bytes } of regions) {
          expected.set(bytes, offset - flashStart);
        }
        expect(memory.equals(expected)).toBe(true);
      }),
    );
  });

  it.each([
    ['before the flash', flashStart - 4],
    ['behind it', flashStart + 512 * KIB - 2],
  ])('throw for bytes %s', (_name, offset) => {
    expect(() => coverSectors(sectors, [{ offset, bytes: new Uint8Array(4) }], StmError)).toThrowError(
      expect.objectContaining({ code: 'outside-flash' }),
    );
    expect(() => sectorsIn(sectors, [{ offset, length: 4 }], StmError)).toThrowError(
      expect.objectContaining({ code: 'outside-flash' }),
    );
  });

  it('throw for regions that overlap', () => {
    const regions = [0, 3].map((at) => ({ offset: flashStart + at, bytes: new Uint8Array(4) }));
    expect(() => coverSectors(sectors, regions, StmError)).toThrow(RangeError);
  });

  it('form runs that end at a gap and at a size limit', () => {
    const regions = [
      { offset: flashStart, bytes: new Uint8Array(5 * KIB) },
      { offset: flashStart + 8 * KIB, bytes: new Uint8Array(KIB) },
    ];
    const runs = runsOf(coverSectors(small, regions, StmError), 4 * KIB);
    expect(runs.map((run) => run.map(({ sector }) => sector.code))).toEqual([[0, 1, 2, 3], [4], [8]]);
  });
});

describe('a run of sectors', () => {
  const touched = coverSectors(small, [{ offset: flashStart + 256, bytes: new Uint8Array(300).fill(1) }], StmError);

  it('sends the kept pieces first, and no empty ones', () => {
    const kept = [
      { offset: flashStart, bytes: new Uint8Array(256).fill(0xff) },
      { offset: flashStart + 556, bytes: new Uint8Array(468).fill(0xff).fill(2, 400) },
    ];
    const run = new SectorRun(touched, kept, 0xff, 256);
    expect(run.stretches).toEqual([
      { start: 512, end: 1_024 },
      { start: 256, end: 512 },
    ]);
    expect(run.kept).toHaveLength(1);
    expect(run.image.length).toBe(KIB);
    expect(run.toSend).toBe(768);
  });

  it('takes zeros as empty if erased flash is zero', () => {
    const run = new SectorRun(touched, [{ offset: flashStart, bytes: new Uint8Array(256) }], 0, 128);
    expect(run.stretches).toEqual([{ start: 256, end: 640 }]);
  });
});
