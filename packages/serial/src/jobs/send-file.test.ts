import { defaultPortSettings } from '@wirebench/port';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SendProgress } from '../progress-meter.ts';
import { latin1, utf8 } from '../testing/line-channels.ts';
import { connected, notices, stateOf, testRig } from '../testing/test-rig.ts';
import { type FileSource, fileSource, type SendReport } from './send-file.ts';
import type { SendPace } from './send-pace.ts';

function file(content: Uint8Array | string, name = 'config.bin'): FileSource {
  const bytes = typeof content === 'string' ? utf8(content) : content;
  return { name, size: bytes.length, read: async (from, to) => bytes.slice(from, to) };
}

async function sending(content: Uint8Array | string, pace?: SendPace) {
  const test = testRig();
  const device = await connected(test);
  const abort = new AbortController();
  const progress: SendProgress[] = [];
  let report: SendReport | null = null;
  const done = test.bench.jobs
    .sendFile(1, file(content), {
      ...(pace && { pace }),
      signal: abort.signal,
      onProgress: (now) => progress.push(now),
    })
    .then((end) => {
      report = end;
    });
  await test.clock.settle();
  return { ...test, device, abort, progress, done, report: () => report };
}

const paces = fc.oneof(
  fc.constant<SendPace>({ kind: 'wire' }),
  fc.constant<SendPace>({ kind: 'free' }),
  fc.record({ kind: fc.constant('rate' as const), bytesPerSecond: fc.integer({ min: 500, max: 100_000 }) }),
  fc.record({ kind: fc.constant('lines' as const), pause: fc.nat({ max: 3 }) }),
  fc.record({
    kind: fc.constant('chunks' as const),
    bytes: fc.integer({ min: 1, max: 500 }),
    pause: fc.nat({ max: 5 }),
  }),
);

describe('sending a file', () => {
  it('passes on every byte in order, at any pace', async () => {
    const contents = fc
      .array(fc.constantFrom(0x0a, 0x41, 0xff), { maxLength: 120 })
      .map((bytes) => Uint8Array.from(bytes));
    await fc.assert(
      fc.asyncProperty(contents, paces, async (content, pace) => {
        const job = await sending(content, pace);
        await job.clock.advance(1_000);
        expect(job.report()).toMatchObject({
          outcome: 'complete',
          sent: content.length,
          total: content.length,
          unsure: 0,
        });
        expect(job.device.written).toEqual([...content]);
        expect(job.progress.at(-1)?.sent ?? 0).toBe(content.length);
      }),
      { numRuns: 40 },
    );
  });

  it('sends a file larger than one slice', async () => {
    const content = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31) % 251);
    const job = await sending(content, { kind: 'free' });
    await job.done;
    expect(job.report()).toMatchObject({ outcome: 'complete', sent: 200_000 });
    expect(Buffer.from(job.device.written).equals(content)).toBe(true);
  });

  it('keeps to any rate', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'rate', bytesPerSecond: 1_000 });
    for (let second = 1; second <= 9; second++) {
      await job.clock.advance(1_000);
      expect(job.device.written.length).toBeGreaterThan(second * 1_000 - 1);
      expect(job.device.written.length).toBeLessThan(second * 1_000 + 60);
    }
    await job.clock.advance(1_000);
    expect(job.report()).toMatchObject({ outcome: 'complete', duration: expect.closeTo(10_000, -2) });
  });

  it('is a tenth of a second ahead of the wire at most, so that it can be called back', async () => {
    const job = await sending(new Uint8Array(20_000));
    await job.clock.advance(1_000);
    const perSecond = defaultPortSettings.baudRate / 10;
    expect(job.device.written.length).toBeGreaterThan(perSecond);
    expect(job.device.written.length).toBeLessThan(perSecond * 1.13);
  });

  it('does not make up for the time in which the port took nothing', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'rate', bytesPerSecond: 1_000 });
    job.device.hold('write');
    await job.clock.advance(3_000);
    const before = job.device.written.length;
    job.device.release('write');
    await job.clock.advance(1_000);
    expect(job.device.written.length - before).toBeLessThan(1_100);
  });

  it('rests after each line, and not in the middle of one', async () => {
    const job = await sending('one\ntwo\nthree', { kind: 'lines', pause: 50 });
    expect(latin1(Uint8Array.from(job.device.written))).toBe('one\n');
    await job.clock.advance(50);
    expect(latin1(Uint8Array.from(job.device.written))).toBe('one\ntwo\n');
    await job.clock.advance(50);
    expect(job.report()).toMatchObject({ outcome: 'complete', duration: 100 });
  });

  it('reports how far it is, how fast, and how long it takes', async () => {
    const job = await sending(new Uint8Array(8_000), { kind: 'rate', bytesPerSecond: 1_000 });
    await job.clock.advance(4_000);
    const now = job.progress.at(-1);
    expect(now?.total).toBe(8_000);
    expect(now?.rate).toBeGreaterThan(980);
    expect(now?.rate).toBeLessThan(1_020);
    expect(now?.left).toBeGreaterThan(3_900);
    expect(now?.left).toBeLessThan(4_100);
  });

  it('reports the sent and the uncertain bytes when it is cancelled', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'chunks', bytes: 1_000, pause: 100 });
    await job.clock.advance(250);
    job.device.hold('write');
    await job.clock.advance(100);
    job.abort.abort();
    await job.done;
    expect(job.report()).toEqual({ outcome: 'cancelled', sent: 3_000, unsure: 1_000, total: 10_000, duration: 350 });
    expect(notices(job.bench).at(-1)).toBe(
      'Sending config.bin to Port 1 was cancelled after 3,000 of 10,000 bytes; up to 1,000 more may have been sent',
    );
    expect(stateOf(job.bench)).toBe('connected');
    job.device.release('write');
    await job.clock.settle();
    expect(job.device.written.length).toBe(4_000);
    expect(job.clock.pending).toBe(0);
  });

  it('ends with the port when it is disconnected, and sends nothing more', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'chunks', bytes: 100, pause: 100 });
    await job.clock.advance(1_000);
    const closing = job.bench.disconnect(1);
    await job.clock.advance(5_000);
    await closing;
    expect(job.report()).toMatchObject({ outcome: 'closed', sent: 1_100 });
    expect(job.device.written.length).toBe(1_100);
    expect(notices(job.bench)).toContain(
      'Sending config.bin stopped because Port 1 was closed, after 1,100 of 10,000 bytes',
    );
    expect(notices(job.bench).join()).not.toContain('Cannot send data');
    expect(job.clock.pending).toBe(0);
  });

  it('ends when the device vanishes, and leaves the rest to the rules of the port', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'chunks', bytes: 100, pause: 100 });
    await job.clock.advance(500);
    await job.device.unplug();
    await job.clock.settle();
    expect(job.report()).toMatchObject({ outcome: 'closed', sent: 600 });
    expect(stateOf(job.bench)).toBe('reconnecting');
    expect(notices(job.bench)).toContain('Device disconnected from Port 1');
  });

  it('ends when a write fails, which disconnects the port', async () => {
    const job = await sending(new Uint8Array(10_000), { kind: 'chunks', bytes: 100, pause: 100 });
    job.device.writeError = new Error('jammed');
    await job.clock.advance(5_000);
    expect(job.report()).toMatchObject({ outcome: 'closed', sent: 100, unsure: 100 });
    expect(stateOf(job.bench)).toBe('disconnected');
    expect(notices(job.bench)).toContain('Sending to Port 1 failed: jammed');
  });

  it('ends when the file cannot be read any more, or has become shorter', async () => {
    const test = testRig();
    await connected(test);
    const read = async (from: number, to: number) => new Uint8Array(from === 0 ? to - from : 5);
    const report = await test.bench.jobs.sendFile(
      1,
      { name: 'log.txt', size: 100_000, read },
      { pace: { kind: 'free' } },
    );
    expect(report).toMatchObject({ outcome: 'unreadable', sent: 65_536, unsure: 0 });
    expect(notices(test.bench).at(-1)).toMatch(
      /^Sending log.txt to Port 1 stopped after 65,536 of 100,000 bytes: the file/,
    );
    const gone = { name: 'gone', size: 3, read: () => Promise.reject(new Error('NotReadableError')) };
    await expect(test.bench.jobs.sendFile(1, gone)).resolves.toMatchObject({ outcome: 'unreadable', sent: 0 });
  });

  it('reports its end and its duration', async () => {
    const job = await sending('x'.repeat(1_234), { kind: 'chunks', bytes: 617, pause: 750 });
    await job.clock.advance(1_500);
    expect(notices(job.bench).at(-1)).toBe('Sent config.bin to Port 1: 1,234 bytes in 1.5 s');
    expect(job.bench.status().ports[1].sent).toBe(1_234);
  });

  it('is refused when the port is not connected, and while it sends a file already', async () => {
    const job = await sending(new Uint8Array(10_000));
    await expect(job.bench.jobs.sendFile(1, file('x'))).rejects.toMatchObject({ code: 'already-sending' });
    await expect(job.bench.jobs.sendFile(2, file('x'))).rejects.toMatchObject({ code: 'not-connected' });
    await job.clock.advance(10_000);
    await expect(job.bench.jobs.sendFile(1, file(''))).resolves.toMatchObject({ outcome: 'complete', sent: 0 });
    job.device.hold('close');
    const closing = job.bench.disconnect(1);
    await expect(job.bench.jobs.sendFile(1, file('x'))).rejects.toMatchObject({ code: 'send-while-disconnecting' });
    job.device.release('close');
    await job.clock.advance(10_000);
    await closing;
  });

  it.each<SendPace>([
    { kind: 'rate', bytesPerSecond: 0 },
    { kind: 'lines', pause: -1 },
    { kind: 'chunks', bytes: 0, pause: 1 },
    { kind: 'chunks', bytes: 1, pause: Number.NaN },
  ])('is refused at the pace %j', async (pace) => {
    const test = testRig();
    await connected(test);
    await expect(test.bench.jobs.sendFile(1, file('x'), { pace })).rejects.toThrow(RangeError);
  });

  it('reads a file of the browser piece by piece', async () => {
    const source = fileSource(new File(['0123456789'], 'digits.txt'));
    expect([source.name, source.size]).toEqual(['digits.txt', 10]);
    expect(latin1(await source.read(3, 7))).toBe('3456');
  });
});
