/** Spectra of random parts of curves, at equal and unequal times, beside those of numpy. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isLong, random, randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { type CurvePart, expectEqual, type JudgedPart } from './testing/judged-part.ts';

/** A Python that has numpy: Debian's python3-numpy belongs to the system's Python. */
const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import numpy']).status === 0);

/** Makes a part: sines and noise, at equal times, at random distances, or in bursts. */
function partOf(seed: number): CurvePart {
  const source = random(seed);
  const count = 8 + source.below(2_000);
  const kind = seed % 3;
  const times: number[] = [];
  let at = 1_700_000_000_000 + source.below(1_000_000);
  for (let index = 0; index < count; index++) {
    times.push(at);
    at += kind === 0 ? 5 : kind === 1 ? 0.5 + source.next() * 40 : index % 16 === 15 ? 120 : 0.25;
  }
  const sines = Array.from({ length: 1 + source.below(4) }, () => ({
    frequency: 0.2 + source.next() * 40,
    height: source.next() * 100,
    phase: source.next() * 6,
  }));
  const values = times.map((time) =>
    sines.reduce(
      (sum, { frequency, height, phase }) =>
        sum + height * Math.sin((2 * Math.PI * frequency * (time % 1_000_000)) / 1_000 + phase),
      source.next() * 3,
    ),
  );
  return { times, values };
}

describe.skipIf(python === undefined)('spectra of random curves', () => {
  it('are those of numpy, at equal and unequal times', { timeout: 120_000 }, () => {
    const parts = randomSeeds(isLong ? 200 : 12).map(partOf);
    const run = spawnSync(python ?? '', [join(import.meta.dirname, 'testing', 'spectrum.py')], {
      input: JSON.stringify(parts),
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 1 << 28,
    });
    expect(run.stderr).toBe('');
    const judged: readonly JudgedPart[] = JSON.parse(run.stdout);
    expect(judged).toHaveLength(parts.length);
    parts.forEach((part, index) => {
      expectEqual({ step: Number.NaN, amplitudes: [], ...judged[index], ...part });
    });
  });
});
