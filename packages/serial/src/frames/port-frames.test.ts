import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { checkDecoder } from '@wirebench/contract/decoders';
import { compile } from '@wirebench/frames';
import { describe, expect, it } from 'vitest';
import type { Bench } from '../bench.ts';
import { minimumRingBytes } from '../bench-channels.ts';
import { testRig } from '../testing/test-rig.ts';

/** A question of unit 1, and its answer. */
const question = Uint8Array.of(0x01, 0x03, 0x00, 0x01, 0x00, 0x01, 0xd5, 0xca);
const answer = Uint8Array.of(0x01, 0x03, 0x02, 0x00, 0xe7, 0xf8, 0x0e);

function modbusBench(): Bench {
  const { bench } = testRig({ ringBytes: minimumRingBytes });
  const { content } = checkDecoder(JSON.stringify(libraryDecoders.modbus));
  if (content === null) {
    throw new Error('no decoder');
  }
  bench.setDecoder(1, compile([content]));
  return bench;
}

/** Records questions with their answers, one a second. */
function record(bench: Bench, count: number, from = 0): void {
  for (let index = from; index < from + count; index++) {
    bench.record(1, 'sent', question, index * 1_000);
    bench.record(1, 'received', answer, index * 1_000 + 30);
  }
}

/** Counts everything. Returns the number of steps. */
function countAll(bench: Bench): number {
  for (let steps = 1; ; steps++) {
    if (bench.frames(1)?.count() !== true) {
      return steps;
    }
  }
}

describe('overview of a port', () => {
  it('counts in steps what came since the last one, each frame once', () => {
    const bench = modbusBench();
    record(bench, 1_000);
    expect(countAll(bench)).toBeGreaterThan(4);
    const first = bench.frames(1)?.overview.totals.frames ?? 0;
    // The newest frame of each direction waits for the silence after it.
    expect([1_998, 1_999, 2_000]).toContain(first);
    expect(countAll(bench)).toBe(1);
    record(bench, 10, 1_000);
    countAll(bench);
    expect(bench.frames(1)?.overview.totals.frames).toBe(first + 20);
    expect(bench.frames(1)?.missedPieces).toBe(0);
  });

  it('says how many frames had left the log before they were counted', () => {
    const bench = modbusBench();
    record(bench, 20_000);
    countAll(bench);
    const frames = bench.frames(1);
    const counted = frames?.overview.totals.frames ?? 0;
    const missed = frames?.missedPieces ?? 0;
    // The ring of what was received holds 9,362 answers.
    expect(missed).toBeGreaterThan(8_192);
    expect(frames?.overview.totals).toMatchObject({ errors: 0, leftOver: 0 });
    expect(frames?.overview.rows()).toHaveLength(1);
    expect([39_998, 39_999, 40_000]).toContain(counted + missed);
  });

  it('begins again with an opened log', () => {
    const bench = modbusBench();
    record(bench, 10);
    countAll(bench);
    bench.startOver();
    countAll(bench);
    expect(bench.frames(1)?.overview.totals.frames).toBe(0);
    record(bench, 5, 100);
    countAll(bench);
    expect(bench.frames(1)?.overview.totals.frames).toBeLessThanOrEqual(10);
    expect(bench.frames(1)?.overview.rows()).toMatchObject([{ who: '01' }]);
  });
});
