import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { type ScreenBytes, screenBehind, screenReplay, type ToScreenWorker } from '../../protocol/screen-protocol.ts';
import { BenchWorker } from './bench-worker.ts';
import { ScreenWorker } from './screen-worker.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (read: Uint8Array) => new TextDecoder().decode(read);

describe('the Screens of a bench', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let device: FakeSerialPort;
  let got: ScreenBytes[];
  let send: (message: ToScreenWorker) => Promise<void>;
  const shown = () => got.map((message) => text(message.bytes)).join('');
  const written = () => device.writes.map((write) => text(write)).join('|');
  const receive = async (what: string) => {
    device.receive(what);
    await clock.settle();
  };

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    worker = new BenchWorker(callLine().bench, {
      clock,
      openRecordingFile: () => Promise.reject(new Error('none')),
    });
    const line = callLine();
    got = [];
    line.page.addEventListener('message', ({ data }: MessageEvent<ScreenBytes>) => got.push(data));
    new ScreenWorker(line.bench, clock, worker);
    send = async (message) => {
      line.page.postMessage(message, []);
      await clock.settle();
    };
    device = new FakeSerialPort();
    await worker.bench.connect(1, device, defaultPortSettings);
  });
  /** Lets the time of a closing port pass. */
  const passing = async (done: Promise<void>) => {
    await clock.advance(10_000);
    await done;
  };
  afterEach(() => passing(worker.bench.dispose()));

  it('replays the last part without answers, then sends what comes', async () => {
    await receive('before\x1b[6n');
    await send({ kind: 'show', port: 1, from: null });
    expect(got).toMatchObject([{ isQuiet: true, startsOver: true, end: 10 }]);
    await send({ kind: 'taken', port: 1 });
    await receive('now\x1b[6n');
    expect(got.slice(1)).toMatchObject([{ isQuiet: false, startsOver: false, end: 17 }]);
    expect(shown()).toBe('before\x1b[6nnow\x1b[6n');
  });

  it('goes on where it was, and answers nothing of what passed in between', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    await receive('one ');
    await send({ kind: 'taken', port: 1 });
    await send({ kind: 'hide', port: 1 });
    await receive('two ');
    expect(shown()).toBe('one ');
    await send({ kind: 'show', port: 1, from: got.at(-1)?.end ?? null });
    expect(got.at(-1)).toMatchObject({ isQuiet: true, startsOver: false });
    await send({ kind: 'taken', port: 1 });
    await receive('three');
    expect(shown()).toBe('one two three');
    expect(got.at(-1)).toMatchObject({ isQuiet: false });
  });

  it('sends no more while the page is busy, and loses nothing of it', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    await receive('1');
    await receive('2');
    await receive('3');
    expect(shown()).toBe('1');
    await send({ kind: 'taken', port: 1 });
    expect(shown()).toBe('123');
    expect(worker.bench.status().ports[1].received).toBe(3);
  });

  it('sends few bytes at once, and many in twenty turns a second without losing any', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    const times: number[] = [];
    const sent = 'x'.repeat(92);
    let messages = got.length;
    // A second of 92 kB/s, in reads of a millisecond each.
    for (let read = 0; read < 1_000; read++) {
      device.receive(sent);
      await clock.advance(1);
      if (got.length > messages) {
        messages = got.length;
        times.push(read);
        await send({ kind: 'taken', port: 1 });
      }
    }
    await clock.advance(50);
    await send({ kind: 'taken', port: 1 });
    expect(shown()).toBe(sent.repeat(1_000));
    // The first bytes come as they are read.
    expect(times.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(times.length).toBeLessThan(35);
    await clock.advance(200);
    const before = got.length;
    await receive('echo');
    await send({ kind: 'taken', port: 1 });
    await receive('again');
    expect(got.slice(before).map((message) => text(message.bytes))).toEqual(['echo', 'again']);
  });

  it('sends all of a fast port in a turn, piece by piece', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    const sent = 'y'.repeat(200_000);
    await receive('first');
    await send({ kind: 'taken', port: 1 });
    await receive(sent);
    await clock.advance(50);
    for (let piece = 0; piece < 4; piece++) {
      await send({ kind: 'taken', port: 1 });
    }
    expect(shown()).toBe(`first${sent}`);
  });

  it('sends nothing more once a Screen is hidden that waits for its turn', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    await receive('a');
    await send({ kind: 'taken', port: 1 });
    await receive('b'.repeat(5_000));
    await send({ kind: 'hide', port: 1 });
    await clock.advance(100);
    expect(shown()).toBe('a');
  });

  it('begins with the last part again when the page has fallen far behind', async () => {
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    await receive('first\n');
    const line = `${'x'.repeat(99)}\n`;
    for (let sent = 0; sent <= screenBehind; sent += 1_000 * line.length) {
      await receive(line.repeat(1_000));
    }
    expect(got).toHaveLength(2);
    await send({ kind: 'taken', port: 1 });
    expect(got.at(-1)).toMatchObject({ isQuiet: true, startsOver: true });
    for (let left = 0; left < 10; left++) {
      await send({ kind: 'taken', port: 1 });
    }
    const again = got
      .slice(2)
      .map((message) => text(message.bytes))
      .join('');
    expect(again.length).toBeLessThanOrEqual(screenReplay);
    expect(again).toBe(line.repeat(again.length / line.length));
    expect(got.at(-1)?.end).toBe(worker.bench.byteFeed(1).end);
  });

  it('reads along only while a Screen is shown', async () => {
    expect(worker.screen).toBeNull();
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'show', port: 2, from: null });
    await send({ kind: 'hide', port: 1 });
    expect(worker.screen).not.toBeNull();
    await send({ kind: 'hide', port: 2 });
    expect(worker.screen).toBeNull();
  });

  it('sends keys at once and in order, counts them, and leaves no line in the log', async () => {
    await send({ kind: 'keys', port: 1, bytes: bytes('l') });
    await send({ kind: 'keys', port: 1, bytes: bytes('s') });
    await send({ kind: 'keys', port: 1, bytes: bytes('\r') });
    expect(written()).toBe('l|s|\r');
    const { ports } = worker.bench.status();
    expect(ports[1].sent).toBe(3);
    expect(worker.bench.rows({ layout: 'text', anchor: 'tail', count: 9, channels: ['sent-1'] }).rows).toEqual([]);
  });

  it('sends keys together that come while the port is busy', async () => {
    device.hold('write');
    const sent = [
      send({ kind: 'keys', port: 1, bytes: bytes('a') }),
      send({ kind: 'keys', port: 1, bytes: bytes('b') }),
      send({ kind: 'keys', port: 1, bytes: bytes('c') }),
    ];
    await Promise.all(sent);
    device.release('write');
    await clock.settle();
    expect(written()).toBe('a|bc');
  });

  it('sends an answer only while this page holds the port', async () => {
    const answer = bytes('\x1b[1;1R');
    await send({ kind: 'answer', port: 1, bytes: answer });
    expect(written()).toBe('\x1b[1;1R');
    await passing(worker.bench.disconnect(1));
    await send({ kind: 'answer', port: 1, bytes: answer });
    await send({ kind: 'keys', port: 1, bytes: bytes('x') });
    expect(device.writes).toHaveLength(1);
  });

  it('sends the keys of a guest to the board elsewhere, and none of its answers', async () => {
    const there: string[] = [];
    worker.remoteKeys = async (port, keys) => {
      there.push(`${port} ${text(keys)}`);
    };
    worker.devices.setRemote(1, { plugged: true, right: 'type', away: null, isSimulated: false, port: null });
    await send({ kind: 'show', port: 1, from: null });
    await send({ kind: 'taken', port: 1 });
    await receive('\x1b[6n');
    expect(got.at(-1)).toMatchObject({ isQuiet: true });
    await send({ kind: 'answer', port: 1, bytes: bytes('\x1b[1;1R') });
    await send({ kind: 'keys', port: 1, bytes: bytes('x') });
    expect(there).toEqual(['1 x']);
    expect(device.writes).toEqual([]);
  });

  it('lets Ctrl+C overtake a long paste in pieces, and drops the rest', async () => {
    worker.bench.setPieces(1, { bytes: 8, pause: 100 });
    await send({ kind: 'keys', port: 1, bytes: bytes('x'.repeat(200)) });
    await send({ kind: 'keys', port: 1, bytes: bytes('typed behind it') });
    await send({ kind: 'keys', port: 1, bytes: bytes('\x03') });
    expect(written()).toBe('xxxxxxxx|\x03');
    await clock.advance(10_000);
    expect(written()).toBe('xxxxxxxx|\x03');
    await send({ kind: 'keys', port: 1, bytes: bytes('next') });
    expect(written()).toBe('xxxxxxxx|\x03|next');
  });

  it('marks keys to a board elsewhere that this page uses, each time the bytes that it writes', async () => {
    const marked: Uint8Array[] = [];
    Object.assign(device, { timeToAnswer: null, writeKeys: (keys: Uint8Array) => marked.push(keys) });
    await send({ kind: 'keys', port: 1, bytes: bytes('l') });
    await send({ kind: 'keys', port: 1, bytes: bytes('s') });
    expect(marked.map((keys) => text(keys))).toEqual(['l', 's']);
    expect(written()).toBe('l|s');
  });
});
