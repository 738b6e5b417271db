/** Compares SPIFFS with a model over 10,000 random operations, on images of several layouts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOperation, runOperations } from '../testing/operations.ts';
import { formatSpiffs, Spiffs } from './spiffs.ts';

const names = ['a', 'b.txt', 'www', 'größe', '設定', '🙂'];

const shapes = [
  { title: 'ESP-IDF', size: 262_144, options: {}, longest: 40_000, runs: 14, isOftenFull: false },
  { title: 'ESP-IDF, often full', size: 65_536, options: {}, longest: 20_000, runs: 14, isOftenFull: true },
  {
    title: 'ESP8266',
    size: 131_072,
    options: { blockSize: 8_192, metaLength: 0, isAligned: true },
    longest: 40_000,
    runs: 8,
    isOftenFull: false,
  },
  {
    title: 'large pages and long names',
    size: 262_144,
    options: { pageSize: 512, nameLength: 64, magic: 'plain' },
    longest: 70_000,
    runs: 4,
    isOftenFull: false,
  },
] as const;

describe('Spiffs', () => {
  it.each(shapes)('holds what a model holds after 250 operations: $title', (shape) => {
    const { size, options, longest, runs, isOftenFull } = shape;
    const lengths = fc.oneof(
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }) },
      { weight: 3, arbitrary: fc.integer({ min: 300, max: 3_000 }) },
      // More than one index page holds 103 data pages of 251 bytes.
      { weight: 1, arbitrary: fc.integer({ min: 3_000, max: longest }) },
    );
    const operations = fc.array(anyOperation(lengths, names), { minLength: 250, maxLength: 250 });
    let fullCount = 0;
    fc.assert(
      fc.property(operations, fc.integer({ min: 5, max: 25 }), (all, every) => {
        fullCount += runOperations((image) => new Spiffs(image, options), formatSpiffs(size, options), all, every);
      }),
      { numRuns: runs, endOnFailure: true },
    );
    expect(fullCount).toBeGreaterThanOrEqual(isOftenFull ? 1 : 0);
  });
});
