/** The newest lines of a port for a reader that joins later, and how the reader's own bench stores them. */
import { describe, expect, it } from 'vitest';
import type { PassedLine } from './recent-lines.ts';
import { allRows, connected, received, testRig } from './testing/test-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const all = { lines: 500, bytes: 65_536, without: { received: 0, sent: 0 } };
const shown = (lines: readonly PassedLine[]) => lines.map(({ direction, bytes }) => `${direction} ${read(bytes)}`);

describe('recent lines', () => {
  it('are those of both directions in order, with their endings and times', async () => {
    const rig = testRig();
    const device = await connected(rig);
    device.receive('one\r\n');
    await rig.clock.advance(100);
    await rig.bench.send(1, text('help'));
    device.receive('two\nopen');
    await rig.clock.advance(100);
    const lines = rig.bench.recentLines(1, all);
    expect(shown(lines)).toEqual(['received one\r\n', 'sent help', 'received two\n', 'received open']);
    expect(lines.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true]);
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted());
  });

  it('leave out the newest bytes on request: a line that they cut continues', async () => {
    const rig = testRig();
    const device = await connected(rig);
    device.receive('one\ntwo\n');
    await rig.clock.advance(100);
    await rig.bench.send(1, text('help'));
    const without = (count: number) => rig.bench.recentLines(1, { ...all, without: { received: count, sent: 4 } });
    expect(shown(without(4))).toEqual(['received one\n']);
    expect(without(4)[0]?.isOpen).toBe(false);
    expect(shown(without(2))).toEqual(['received one\n', 'received tw']);
    expect(without(2)[1]?.isOpen).toBe(true);
    expect(without(100)).toEqual([]);
  });

  it('are so many and so long as asked at most: whole lines, and of one that is too long its end', async () => {
    const rig = testRig();
    const device = await connected(rig);
    device.receive('a\nbb\nccc\n');
    await rig.clock.advance(10);
    expect(shown(rig.bench.recentLines(1, { ...all, lines: 2 }))).toEqual(['received bb\n', 'received ccc\n']);
    expect(shown(rig.bench.recentLines(1, { ...all, bytes: 6 }))).toEqual(['received ccc\n']);
    expect(shown(rig.bench.recentLines(1, { ...all, bytes: 3 }))).toEqual(['received cc\n']);
  });

  it('are empty for a cleared log and for a port that received nothing', async () => {
    const rig = testRig();
    const device = await connected(rig);
    expect(rig.bench.recentLines(1, all)).toEqual([]);
    device.receive('gone\n');
    await rig.clock.advance(10);
    rig.bench.clear();
    expect(rig.bench.recentLines(1, all)).toEqual([]);
    expect(rig.bench.recentLines(2, all)).toEqual([]);
  });
});

describe('earlier lines of a shared port', () => {
  const earlier = (words: string, change: Partial<PassedLine> = {}) => ({
    direction: 'received' as const,
    at: 1,
    bytes: text(words),
    isOpen: false,
    ...change,
  });

  it('are on the timeline and nowhere else: not counted, no answer, in no feed, and not handed on', async () => {
    const handed: string[] = [];
    const rig = testRig({ onReceived: (_port, bytes) => handed.push(read(bytes)) });
    const { bench } = rig;
    bench.watch(1);
    await connected(rig);
    const feed = bench.lineFeed(1);
    const waits = bench
      .converse(1)
      .exchange(
        { bytes: text('ping'), answers: [{ kind: 'bytes', bytes: text('pong') }], fresh: true, timeout: 1_000 },
        new AbortController().signal,
      );
    bench.recordEarlier(1, earlier('pong\n'));
    bench.recordEarlier(1, earlier('old command', { direction: 'sent' }));
    expect(received(bench)).toEqual(['pong']);
    expect(allRows(bench).find(({ direction }) => direction === 'received')?.at).toBe(1);
    expect(feed.complete).toBe(true);
    expect(feed.read()).toBeNull();
    expect(handed).toEqual([]);
    expect(bench.status().ports[1]).toMatchObject({ received: 0, sent: 0, lines: 0 });
    await rig.clock.advance(2_000);
    expect(await waits).not.toMatchObject({ kind: 'answered' });
    bench.record(1, 'received', text('live\n'));
    expect(feed.read()?.lines).toHaveLength(1);
    expect(handed).toEqual(['live\n']);
  });

  it('continue an open line with the next bytes, and a feed reads it whole', () => {
    const { bench } = testRig();
    bench.watch(1);
    const feed = bench.lineFeed(1);
    bench.recordEarlier(1, earlier('whole without an ending'));
    bench.recordEarlier(1, earlier('demo> ', { isOpen: true }));
    bench.record(1, 'received', text('help\r\n'));
    expect(received(bench)).toEqual(['whole without an ending', 'demo> help']);
    const slice = feed.read();
    expect(slice?.lines.map(({ start, end }) => read(slice.bytes.subarray(start, end)))).toEqual(['demo> help']);
  });

  it('are left out of a feed if they come between live lines', () => {
    const { bench } = testRig();
    bench.watch(1);
    const feed = bench.lineFeed(1);
    bench.record(1, 'received', text('first\nhalf'));
    bench.recordEarlier(1, earlier('earlier\n'));
    bench.record(1, 'received', text('second\n'));
    const seen: string[] = [];
    for (let slice = feed.read(); slice !== null; slice = feed.read()) {
      const { bytes } = slice;
      seen.push(...slice.lines.map(({ start, end }) => read(bytes.subarray(start, end))));
    }
    expect(seen).toEqual(['first', 'half', 'second']);
    expect(feed.complete).toBe(true);
  });
});
