import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';
import { Bench, parseFilterField } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { overviewFor } from './frame-overview.ts';

/** Cases that are recorded one behind the other. */
const CASES = 40;

interface GoldenCase {
  readonly chunks: readonly (readonly [micros: number, direction: 'rx' | 'tx', hex: string])[];
}

/** Cases of the golden file of a decoder. */
function goldenCases(name: string): readonly GoldenCase[] {
  const folder = join(import.meta.dirname, '../../../../../packages/frames/src/testing/golden');
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as GoldenCase);
}

/** Returns a bench with the frames of a decoder. */
async function benchOf(name: (typeof readyDecoders)[number]['name']): Promise<Bench> {
  const bench = new Bench({ clock: new VirtualClock(0) });
  const { reader, isText } = await readyReader(name);
  bench.setDecoder(1, reader, isText);
  let at = 0;
  for (const { chunks } of goldenCases(name).slice(0, CASES)) {
    const began = at;
    for (const [micros, direction, hex] of chunks) {
      at = Math.max(at, began + micros / 1_000);
      bench.record(1, direction === 'tx' ? 'sent' : 'received', Uint8Array.from(Buffer.from(hex, 'hex')), at);
    }
    bench.endLoad(1);
    at += 60_000;
  }
  return bench;
}

it.each(readyDecoders.map(({ name }) => name))('each row of %s finds its own frames, and no others', async (name) => {
  const bench = await benchOf(name);
  const frames = bench.frames(1);
  countAll(bench);
  if (frames === null) {
    throw new Error('no frames');
  }
  const { rows, moreRows, totals } = overviewFor(frames.overview, 0, false);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.reduce((sum, { count }) => sum + count, 0) === totals.frames + totals.errors || moreRows > 0).toBe(true);
  const found = rows.map(({ find, count }) => {
    const field = parseFilterField(find);
    const search = bench.search({ terms: field.ok ? field.query.terms : [] });
    while (search.step()) {
      // The rest waits.
    }
    return { find, count, found: search.count };
  });
  expect(found.filter((row) => row.count !== row.found)).toEqual([]);
});

/** A question of unit 1, and its answer. */
const question = Uint8Array.of(0x01, 0x03, 0x00, 0x01, 0x00, 0x01, 0xd5, 0xca);
const answer = Uint8Array.of(0x01, 0x03, 0x02, 0x00, 0xe7, 0xf8, 0x0e);

async function modbusBench(): Promise<Bench> {
  const bench = new Bench({ clock: new VirtualClock(0), ringBytes: 65_536 });
  const { reader } = await readyReader('modbus');
  bench.setDecoder(1, reader);
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

it('shows sentences as text without their ending, each byte once', async () => {
  const bench = await benchOf('nmea');
  countAll(bench);
  const overview = bench.frames(1)?.overview;
  const row = overview === undefined ? undefined : overviewFor(overview, 0, false).rows[0];
  const text = row?.bytes.map((stretch) => stretch.text).join('');
  const newest = overview?.rows()[0]?.bytes;
  expect(row).toMatchObject({ isText: true, moreBytes: 0 });
  expect(`${text}\r\n`).toBe(new TextDecoder().decode(newest));
});

describe('overview of a port', () => {
  it('counts in steps what came since the last one, each frame once', async () => {
    const bench = await modbusBench();
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

  it('says how many frames had left the log before they were counted', async () => {
    const bench = await modbusBench();
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

  it('begins again with an opened log', async () => {
    const bench = await modbusBench();
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
