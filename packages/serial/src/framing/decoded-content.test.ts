import { describe, expect, it } from 'vitest';
import type { Bench } from '../bench.ts';
import type { SearchTerm } from '../line-query.ts';
import { Marker } from '../marks.ts';
import { rowPage } from '../row-page.ts';
import { latin1, receivedChannel } from '../testing/line-channels.ts';
import { connected, testRig } from '../testing/test-rig.ts';
import { Timeline } from '../timeline.ts';
import { splitterOf } from './framings.ts';

/** A whole frame with `v=1\0v=22`, a broken one, and a whole one with `v=3`. */
const stream = Uint8Array.from([
  ...[0x04, 0x76, 0x3d, 0x31, 0x05, 0x76, 0x3d, 0x32, 0x32, 0x00],
  ...[0x09, 0x76, 0x00],
  ...[0x04, 0x76, 0x3d, 0x33, 0x00],
]);

async function received() {
  const kept: Uint8Array[] = [];
  const test = testRig({ onReceived: (_, bytes) => kept.push(bytes) });
  test.bench.setFraming(1, { name: 'cobs', options: {} });
  const device = await connected(test);
  device.receive(stream.slice(0, 6));
  device.receive(stream.slice(6));
  await test.clock.settle();
  return { bench: test.bench, kept };
}

const joined = (chunks: Iterable<Uint8Array>) => Uint8Array.from([...chunks].flatMap((chunk) => [...chunk]));

async function found(bench: Bench, term: SearchTerm): Promise<number> {
  const search = bench.search({ ...term, channels: ['received-1'] });
  await search.run(async () => undefined);
  return search.count;
}

describe('decoded content', () => {
  it('is what rows show, in both layouts', async () => {
    const { bench } = await received();
    const rows = (layout: 'text' | 'hex') =>
      bench.rows({ layout, anchor: { position: 0 }, count: 9, channels: ['received-1'] }).rows;
    expect(rows('text').map(({ bytes }) => latin1(bytes))).toEqual(['v=1\0v=22', '\x09v\0', 'v=3']);
    expect(rows('hex').map(({ bytes, lineLength, fault }) => [bytes.length, lineLength, fault])).toEqual([
      [8, 8, undefined],
      [3, 3, 'invalid'],
      [3, 3, undefined],
    ]);
  });

  it('is what searches look in, and marks stand in', async () => {
    const { bench } = await received();
    expect(await found(bench, { kind: 'text', text: 'v=', ignoreCase: false })).toBe(2);
    expect(await found(bench, { kind: 'hex', bytes: Uint8Array.of(0x31, 0x00, 0x76) })).toBe(1);
    expect(await found(bench, { kind: 'regex', source: '^v=3$', ignoreCase: false })).toBe(1);
    const marks = bench.search({ kind: 'hex', bytes: Uint8Array.of(0x00, 0x76) });
    const page = bench.rows({ layout: 'hex', anchor: { position: 0 }, count: 9, channels: ['received-1'] }, { marks });
    expect(page.rows.map((row) => row.marks)).toEqual([[{ start: 3, end: 5 }], [], []]);
  });

  it('leaves matches across lines of text between two frames where they are', async () => {
    const test = testRig();
    const device = await connected(test);
    const receive = async (name: 'cobs' | 'newline', bytes: readonly number[]) => {
      test.bench.setFraming(1, { name, options: {} });
      device.receive(Uint8Array.from(bytes));
      await test.clock.settle();
    };
    await receive('cobs', [0x03, 0x61, 0x0a, 0x00]);
    await receive('newline', [0x61, 0x0a, 0x62, 0x0a]);
    await receive('cobs', [0x02, 0x62, 0x00]);
    expect(await found(test.bench, { kind: 'hex', bytes: Uint8Array.of(0x0a, 0x62) })).toBe(1);
    expect(await found(test.bench, { kind: 'hex', bytes: Uint8Array.of(0x61, 0x0a) })).toBe(2);
    expect(await found(test.bench, { kind: 'hex', bytes: Uint8Array.of(0x0a, 0x02) })).toBe(0);
  });

  it('is decoded once for all rows of a page that show one frame', () => {
    const channel = receivedChannel(4_096);
    let decoded = 0;
    const decode = (frame: Uint8Array) => {
      decoded++;
      return frame.slice(0, -1);
    };
    channel.splitWith(Object.assign(splitterOf({ name: 'slip', options: {} }), { decode }));
    channel.append(Uint8Array.from([...Array.from({ length: 64 }, (_, index) => index), 0xc0]), 0);
    const marker = new Marker([{ kind: 'hex', bytes: Uint8Array.of(0x0f, 0x10) }]);
    const query = { layout: 'hex', anchor: { position: 0 }, count: 9 } as const;
    const { rows } = rowPage(new Timeline([channel]), query, marker);
    expect(rows.map(({ marks }) => marks)).toEqual([[{ start: 15, end: 16 }], [{ start: 0, end: 1 }], [], []]);
    expect(decoded).toBe(1);
  });

  it('is what a text export, a selection and a feed have; what is wrong with a frame stands before it', async () => {
    const { bench } = await received();
    const text = new TextDecoder().decode(joined(bench.exportText({ channels: ['received-1'], content: 'hex' })));
    expect(text.split('\n').map((line) => line.replace(/^.*RX {2}/, ''))).toEqual([
      '76 3D 31 00 76 3D 32 32',
      'Invalid frame: 09 76 00',
      '76 3D 33',
      '',
    ]);
    const end = { sequence: 99, part: 0 };
    const copied = bench.copyRows({
      layout: 'text',
      from: { sequence: 0, part: 0 },
      to: end,
      channels: ['received-1'],
    });
    expect([...copied].join('')).toBe('v=1v=22\n\tv\nv=3\n');
    const slice = bench.lineFeed(1).read();
    expect(slice?.lines.map(({ start, end }) => latin1(slice.bytes.subarray(start, end)))).toEqual([
      'v=1\0v=22',
      '\x09v\0',
      'v=3',
    ]);
  });

  it('leaves a raw export and a recording every byte as it arrived', async () => {
    const { bench, kept } = await received();
    expect(joined(bench.exportRaw(1))).toEqual(stream);
    expect(joined(kept)).toEqual(stream);
  });
});
