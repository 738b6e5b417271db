import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MapContent, type MapRegion, mapSegments, mapTicks } from './map-segments.ts';

const region = (label: string, start: number, end: number): MapRegion => ({
  label,
  start,
  end,
  state: 'planned',
  done: 0,
});
const content = (part: Partial<MapContent>): MapContent => ({
  regions: [],
  areas: [],
  flash: { start: 0, size: 0x400000 },
  ...part,
});
const shown = (part: Partial<MapContent>) =>
  mapSegments(content(part)).map(({ start, end, label, state }) => [start, end, label, state]);

describe('memory map', () => {
  it('shows what stays as clearly as what is written', () => {
    const areas = [
      { label: 'nvs', start: 0x9000, end: 0xf000, fate: 'kept' as const },
      { label: 'factory', start: 0x10000, end: 0x110000, fate: 'kept' as const },
    ];
    expect(shown({ regions: [region('app.bin', 0x10000, 0x50000)], areas })).toEqual([
      [0, 0x9000, null, 'kept'],
      [0x9000, 0xf000, 'nvs', 'kept'],
      [0xf000, 0x10000, null, 'kept'],
      [0x10000, 0x50000, 'app.bin', 'planned'],
      [0x50000, 0x110000, 'factory', 'kept'],
      [0x110000, 0x400000, null, 'kept'],
    ]);
  });

  it('marks where two files would lie on each other', () => {
    const regions = [region('bootloader.bin', 0, 0x5400), region('app.bin', 0x5000, 0x20000)];
    expect(shown({ regions, flash: { start: 0, size: null } })).toEqual([
      [0, 0x5000, 'bootloader.bin', 'planned'],
      [0x5000, 0x5400, null, 'overlap'],
      [0x5400, 0x20000, 'app.bin', 'planned'],
    ]);
  });

  it('keeps a file in one piece where it reaches over partitions', () => {
    const areas = [{ label: 'nvs', start: 0x9000, end: 0xf000, fate: 'kept' as const }];
    expect(shown({ regions: [region('merged.bin', 0, 0x20000)], areas, flash: { start: 0, size: 0x20000 } })).toEqual([
      [0, 0x20000, 'merged.bin', 'planned'],
    ]);
  });

  it('says of the rest what becomes of it', () => {
    const areas = [
      { label: 'nvs', start: 0x1000, end: 0x2000, fate: 'restored' as const },
      { label: null, start: 0x2000, end: 0x3000, fate: 'erased' as const },
    ];
    expect(shown({ regions: [region('app.bin', 0, 0x1000)], areas, flash: { start: 0, size: 0x3000 } })).toEqual([
      [0, 0x1000, 'app.bin', 'planned'],
      [0x1000, 0x2000, 'nvs', 'restored'],
      [0x2000, 0x3000, null, 'erased'],
    ]);
  });

  it('marks what lies beyond the end of the chip', () => {
    expect(shown({ regions: [region('app.bin', 0x300000, 0x500000)] }).slice(-2)).toEqual([
      [0x300000, 0x400000, 'app.bin', 'planned'],
      [0x400000, 0x500000, 'app.bin', 'beyond'],
    ]);
  });

  it('says which partitions a file lies in', () => {
    const areas = [
      { label: 'nvs', start: 0x9000, end: 0xf000, fate: 'kept' as const },
      { label: 'factory', start: 0x10000, end: 0x110000, fate: 'kept' as const },
    ];
    const file = (...range: [number, number]) =>
      mapSegments(content({ regions: [region('a.bin', ...range)], areas })).find(({ label }) => label === 'a.bin');
    const within = (...range: [number, number]) => file(...range)?.within;
    expect(within(0x10000, 0x50000)).toEqual(['factory']);
    expect(within(0, 0x20000)).toEqual(['nvs', 'factory']);
    expect(within(0x200000, 0x210000)).toEqual([]);
    expect(file(0x10000, 0x50000)?.inside).toBe('factory');
    // It begins in front of the partition, or ends behind it.
    expect(file(0xf000, 0x20000)?.inside).toBeNull();
    expect(file(0x100000, 0x120000)?.inside).toBeNull();
  });

  it('covers the flash without gaps, whatever is written', () => {
    const range = fc
      .tuple(fc.integer({ min: 0, max: 0x3ff }), fc.integer({ min: 1, max: 0x200 }))
      .map(([start, size]) => ({ start: start * 0x1000, end: (start + size) * 0x1000 }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 4 }), fc.array(range, { maxLength: 6 }), (files, names) => {
        const segments = mapSegments(
          content({
            regions: files.map(({ start, end }, index) => region(`file ${index}`, start, end)),
            areas: names.map((area, index) => ({ label: `area ${index}`, fate: 'kept' as const, ...area })),
          }),
        );
        expect(segments[0]?.start).toBe(0);
        for (const [index, segment] of segments.entries()) {
          expect(segment.end).toBeGreaterThan(segment.start);
          expect(segments[index + 1]?.start ?? segment.end).toBe(segment.end);
        }
      }),
    );
  });

  it('leaves out the ticks that would touch each other', () => {
    const segments = mapSegments(content({ regions: [region('a', 0x1000, 0x2000), region('b', 0x2000, 0x3000)] }));
    expect(mapTicks(segments, 0).map(({ address }) => address)).toEqual([0, 0x1000, 0x2000, 0x3000]);
    expect(mapTicks(segments, 0.2)).toHaveLength(2);
  });

  it('shows where the written begins before it shows where something else does', () => {
    const areas = [{ label: 'phy_init', start: 0xf000, end: 0x10000, fate: 'kept' as const }];
    const segments = mapSegments(content({ regions: [region('app.bin', 0x10000, 0x20000)], areas }));
    expect(mapTicks(segments, 0.15).map(({ address }) => address)).toContain(0x10000);
  });
});
