/** Kept bytes of a port that are cut again, against a bench whose decoder was chosen before the port was opened. */
import { readFileSync } from 'node:fs';
import { VirtualClock } from '@wirebench/clock';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { readyReader } from '@wirebench/frames/ready-reader';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { Bench } from '../bench.ts';
import { parseFilterField } from '../filter-field.ts';
import { wordsOfFrame } from '../frames/frame-words.ts';
import { checked } from '../modbus-search/testing/modbus-bus.ts';
import { noActions } from '../rules/rule.ts';

interface GoldenCase {
  readonly case: string;
  readonly chunks: readonly (readonly [at: number, direction: 'rx' | 'tx', hex: string])[];
  readonly frames: readonly { readonly hex?: string; readonly text?: string; readonly what?: string }[];
}

const goldenCases = (name: string): readonly GoldenCase[] =>
  readFileSync(new URL(`../../../frames/src/testing/golden/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const start = Date.UTC(2026, 10, 20, 13, 0, 0);
const at = (text: string) => new TextEncoder().encode(text);

async function openRig(ringBytes = 1 << 20) {
  const clock = new VirtualClock(start);
  const bench = new Bench({ clock, ringBytes });
  const devices = { 1: new FakeSerialPort(), 2: new FakeSerialPort({ usbVendorId: 0x0403, usbProductId: 0x6001 }) };
  const connect = async (port: 1 | 2) => bench.connect(port, devices[port], defaultPortSettings);
  const hear = async (port: 1 | 2, bytes: Uint8Array, wait = 5) => {
    devices[port].receive(bytes);
    await clock.advance(wait);
  };
  const choose = async (name: ReadyDecoder | null, port: 1 | 2 = 1) => {
    const chosen = name === null ? null : { ...(await readyReader(name)), answersOn: null };
    return bench.changeDecoder(port, chosen, async () => undefined);
  };
  return { bench, clock, connect, hear, choose, devices };
}

type Rig = Awaited<ReturnType<typeof openRig>>;

/** Everything that a row of the log says. */
function shown({ bench }: Rig) {
  return bench.rows({ layout: 'text', anchor: { position: 0 }, count: 20_000 }).rows.map((row) => {
    const framed = bench.frameOf(row);
    const words = framed === null ? null : wordsOfFrame(framed, row.bytes);
    return {
      ...row,
      bytes: Buffer.from(row.bytes).toString('hex'),
      words,
      framed: framed === null ? null : { ...framed, frame: framed.frame.fields },
    };
  });
}

/** Plays golden cases to a rig with a line of another port and a notice between any two. */
async function play(rig: Rig, cases: readonly GoldenCase[]): Promise<void> {
  for (const { chunks, case: name } of cases) {
    let now = chunks[0]?.[0] ?? 0;
    for (const [micros, direction, hex] of chunks) {
      await rig.clock.advance(Math.max(0, micros - now) / 1_000);
      now = Math.max(now, micros);
      const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
      if (direction === 'rx') {
        await rig.hear(1, bytes, 0);
      } else {
        await rig.bench.send(1, bytes);
      }
    }
    await rig.clock.advance(2_000);
    await rig.hear(2, at(`${name}\n`));
    rig.bench.notice('info', name, 1);
  }
}

describe('kept bytes that are cut again', () => {
  it.each([
    ['modbus', 40],
    ['ubx', 12],
    ['nmea', 30],
    ['cobs', 20],
    ['at', 20],
  ] as const)('are the rows of %s that a decoder chosen before the port was opened shows', async (name, count) => {
    const cases = goldenCases(name).slice(0, count);
    const before = await openRig();
    await before.choose(name);
    const after = await openRig();
    for (const rig of [before, after]) {
      await rig.connect(1);
      await rig.connect(2);
      await play(rig, cases);
    }
    expect(await after.choose(name)).toBe(1);
    expect(shown(after)).toEqual(shown(before));
    const hexes = shown(after).map(({ bytes }) => bytes);
    for (const { frames } of cases) {
      for (const { hex } of frames.filter(({ what }) => what !== 'broken')) {
        expect(hex === undefined || hexes.some((row) => row.includes(hex))).toBe(true);
      }
    }
    // Later bytes go on in the same way.
    await play(before, cases.slice(0, 2));
    await play(after, cases.slice(0, 2));
    expect(shown(after)).toEqual(shown(before));
  });

  it('are the lines of text again after the decoder is taken off', async () => {
    const cases = goldenCases('nmea').slice(0, 10);
    const [plain, framed] = [await openRig(), await openRig()];
    await framed.choose('nmea');
    for (const rig of [plain, framed]) {
      await rig.connect(1);
      await rig.connect(2);
      await play(rig, cases);
    }
    await framed.choose(null);
    expect(shown(framed)).toEqual(shown(plain));
  });

  it('end where the port was closed in between', async () => {
    const cases = goldenCases('modbus').slice(0, 6);
    const [before, after] = [await openRig(), await openRig()];
    await before.choose('modbus');
    for (const rig of [before, after]) {
      await rig.connect(1);
      await rig.hear(1, Uint8Array.of(7, 3, 0));
      await rig.bench.disconnect(1);
      await rig.connect(1);
      await play(rig, cases);
    }
    await after.choose('modbus');
    expect(shown(after)).toEqual(shown(before));
    expect(after.bench.status().ports[1].lines).toBe(before.bench.status().ports[1].lines);
  });

  it('begin with the first kept byte when older ones have left the ring', async () => {
    const rig = await openRig(1 << 16);
    await rig.connect(1);
    for (let index = 0; index < 4_000; index++) {
      await rig.hear(1, at(`$GPTXT,01,01,02,number ${index}*00\r\n`), 1);
    }
    const { droppedLines } = rig.bench.status();
    expect(droppedLines).toBeGreaterThan(0);
    const [first] = rig.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 1 }).rows;
    expect(await rig.choose('nmea')).toBe(1 + droppedLines);
    const rows = shown(rig);
    expect(rows[0]?.sequence).toBe(first?.sequence);
    expect(rows.filter(({ direction }) => direction === 'received').every(({ framed }) => framed !== null)).toBe(true);
    expect(rig.bench.status().droppedLines).toBe(droppedLines);
  });

  it('leave the log unchanged when another choice ends the work', async () => {
    const rig = await openRig();
    await rig.connect(1);
    await play(rig, goldenCases('nmea').slice(0, 5));
    const rows = shown(rig);
    const { reader, isText } = await readyReader('nmea');
    const broken = {
      ...reader,
      cutter: () => {
        throw new Error('broken');
      },
      conversation: () => reader.conversation(),
    };
    const chosen = { reader: broken, isText, answersOn: null };
    await expect(rig.bench.changeDecoder(1, chosen, async () => undefined)).rejects.toThrow('broken');
    expect(shown(rig)).toEqual(rows);
    await rig.hear(1, at('goes on\n'));
    expect(shown(rig)).toHaveLength(rows.length + 1);
  });

  it('are followed in order by bytes that arrive while the work runs', async () => {
    const cases = goldenCases('modbus').slice(0, 40);
    const [before, after] = [await openRig(), await openRig()];
    await before.choose('modbus');
    for (const rig of [before, after]) {
      await rig.connect(1);
      await play(rig, cases);
    }
    const { reader, isText } = await readyReader('modbus');
    const works: Promise<number | null>[] = [];
    works.push(after.bench.changeDecoder(1, { reader, isText, answersOn: null }, async () => undefined));
    for (const rig of [before, after]) {
      await play(rig, cases.slice(0, 3));
    }
    await Promise.all(works);
    expect(shown(after)).toEqual(shown(before));
  });

  it('are not fed twice to a recording', async () => {
    const rig = await openRig();
    const feed = rig.bench.logFeed({ ports: [1] });
    const fed = () => [...feed.read('take')].map((bytes) => new TextDecoder().decode(bytes)).join('');
    await rig.connect(1);
    await rig.hear(1, at('$GPTXT,01,01,02,one*00\r\n'));
    expect(fed()).toContain('one');
    await rig.choose('nmea');
    await rig.hear(1, at('$GPTXT,01,01,02,two*00\r\n'));
    const later = fed();
    expect(later).toContain('two');
    expect(later).not.toContain('one');
  });

  it('are cut from now on only in a port with lines from before this bench joined', async () => {
    const rig = await openRig();
    rig.bench.watch(1);
    rig.bench.recordEarlier(1, { direction: 'received', bytes: at('earlier\n'), at: start, isOpen: false });
    expect(await rig.choose('nmea')).toBeNull();
    rig.bench.record(1, 'received', at('$GPTXT,01,01,02,two*00\r\n'));
    expect(shown(rig).map(({ framed }) => framed !== null)).toEqual([false, true]);
  });

  it('are found, and counted by rules, as they are cut now', async () => {
    const rig = await openRig();
    await rig.connect(1);
    await play(rig, goldenCases('modbus').slice(0, 5));
    const parsed = parseFilterField('unit>0');
    const frames = parsed.ok ? parsed.query : { terms: [] };
    const search = rig.bench.search(frames);
    await search.run(async () => undefined);
    expect(search.count).toBe(0);
    await rig.choose('modbus');
    await search.run(async () => undefined);
    const fresh = rig.bench.search(frames);
    await fresh.run(async () => undefined);
    expect(search.count).toBeGreaterThan(5);
    expect(search.count).toBe(fresh.count);
  });

  it('are drawn by a plot from the first one on, once', async () => {
    const [before, after] = [await openRig(), await openRig()];
    await before.choose('modbus');
    const plots = [before, after].map(({ bench }) => bench.plot({ ports: [1] }));
    for (const rig of [before, after]) {
      await rig.connect(1);
      for (let value = 0; value < 20; value++) {
        await rig.hear(1, checked([7, 3, 0, 0, 0, 1]), 10);
        await rig.hear(1, checked([7, 3, 2, 0, value]), 500);
      }
    }
    await Promise.all(plots.map((plot) => plot.run(async () => undefined)));
    await after.choose('modbus');
    await Promise.all(plots.map((plot) => plot.run(async () => undefined)));
    const csvs = plots.map((plot) => Buffer.concat([...plot.exportCsv()]).toString());
    expect(csvs[1]).toBe(csvs[0]);
    expect(csvs[1]?.trim().split('\n')).toHaveLength(21);
  });

  it('are counted again by a rule, which reports none of them', async () => {
    const rig = await openRig();
    const hits: number[] = [];
    const watch = rig.bench.ruleWatch({ onHit: () => hits.push(1), onChange: () => undefined });
    await rig.connect(1);
    const condition = { kind: 'line', find: 'unit:7', matchCase: false } as const;
    watch.set([{ id: 'rule', ports: null, ...noActions, condition }]);
    for (let value = 0; value < 20; value++) {
      await rig.hear(1, checked([7, 3, 0, 0, 0, 1]), 10);
      watch.changed();
      await rig.clock.advance(500);
    }
    expect(watch.counts.get('rule')).toBe(0);
    await rig.choose('modbus');
    watch.changed();
    await rig.clock.advance(500);
    expect([watch.counts.get('rule'), hits]).toEqual([20, []]);
    await rig.hear(1, checked([7, 3, 0, 0, 0, 1]), 500);
    watch.changed();
    await rig.clock.advance(500);
    expect([watch.counts.get('rule'), hits]).toEqual([21, [1]]);
    watch.dispose();
  });
});
