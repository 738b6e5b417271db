/** Compares LittleFS with a model over 10,000 random operations, on images of several shapes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOperation, runOperations } from '../testing/operations.ts';
import { formatLittleFs, LittleFs } from './little-fs.ts';

const names = ['a', 'b.txt', 'www', 'größe', '設定.json', '🙂', 'a name with spaces and more letters than others'];

const shapes = [
  { title: 'a roomy partition', size: 1_048_576, options: {}, longest: 40_000, runs: 14, isOftenFull: false },
  {
    title: 'a small partition that is often full',
    size: 65_536,
    options: {},
    longest: 20_000,
    runs: 12,
    isOftenFull: true,
  },
  {
    title: 'small blocks',
    size: 65_536,
    options: { blockSize: 512, minorVersion: 1 },
    longest: 9_000,
    runs: 8,
    isOftenFull: true,
  },
  {
    title: 'large blocks',
    size: 524_288,
    options: { blockSize: 16_384, inlineLength: 512 },
    longest: 70_000,
    runs: 6,
    isOftenFull: true,
  },
] as const;

describe('LittleFs', () => {
  it.each(shapes)(
    'holds what a model holds after 250 operations: $title',
    ({ size, options, longest, runs, isOftenFull }) => {
      const lengths = fc.oneof(
        { weight: 1, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.integer({ min: 1, max: 100 }) },
        { weight: 3, arbitrary: fc.integer({ min: 100, max: 5_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 5_000, max: longest }) },
      );
      const operations = fc.array(anyOperation(lengths, names), { minLength: 250, maxLength: 250 });
      let fullCount = 0;
      fc.assert(
        fc.property(operations, fc.integer({ min: 5, max: 25 }), (all, every) => {
          fullCount += runOperations((image) => new LittleFs(image), formatLittleFs(size, options), all, every);
        }),
        { numRuns: runs, endOnFailure: true },
      );
      expect(fullCount).toBeGreaterThanOrEqual(isOftenFull ? 1 : 0);
    },
  );
});
