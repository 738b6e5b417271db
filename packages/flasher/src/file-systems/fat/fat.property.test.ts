/** Compares FAT with a model over thousands of random operations, on images of several shapes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOperation, runOperations } from '../testing/operations.ts';
import { FatFs } from './fat-fs.ts';
import { formatFat } from './format-fat.ts';

const names = ['a', 'B.TXT', 'www', 'größe', '設定.json', '🙂', 'a name with spaces and more letters than others'];

const shapes = [
  { title: 'with wear levelling', size: 1_048_576, options: {}, longest: 40_000, runs: 5, isOftenFull: false },
  { title: 'small and often full', size: 98_304, options: {}, longest: 20_000, runs: 6, isOftenFull: true },
  {
    title: 'sectors of 512 bytes',
    size: 131_072,
    options: { sectorSize: 512, wearLevelling: false },
    longest: 20_000,
    runs: 10,
    isOftenFull: true,
  },
  { title: 'FAT16', size: 4_194_304, options: { sectorSize: 512 }, longest: 90_000, runs: 2, isOftenFull: false },
] as const;

describe('FatFs', () => {
  it.each(shapes)(
    'holds what a model holds after 250 operations: $title',
    ({ size, options, longest, runs, isOftenFull }) => {
      const lengths = fc.oneof(
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 5_000, max: longest }) },
      );
      const operations = fc.array(anyOperation(lengths, names), { minLength: 250, maxLength: 250 });
      let fullCount = 0;
      fc.assert(
        fc.property(operations, fc.integer({ min: 5, max: 25 }), (all, every) => {
          fullCount += runOperations((image) => new FatFs(image), formatFat(size, options), all, every);
        }),
        { numRuns: runs, endOnFailure: true },
      );
      expect(fullCount).toBeGreaterThanOrEqual(isOftenFull ? 1 : 0);
    },
  );
});
