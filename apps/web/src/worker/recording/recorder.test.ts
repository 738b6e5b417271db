import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench, type PortNumber } from '@wirebench/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordingRequest } from '../../protocol/bench/recording-part.ts';
import { parseRecordingIndex, type RecordingFailure } from '../../protocol/recording-index.ts';
import { Recorder } from './recorder.ts';
import type { OpenRecordingFile } from './recording-file.ts';

interface FakeFolderOptions {
  /** Free space of the disk in bytes. */
  readonly room?: number;
  readonly unopenable?: string;
  readonly unclosable?: string;
  readonly durable?: boolean;
  /** Error of each write. */
  readonly refusal?: string;
}

/** A folder in memory. */
function fakeFolder(options: FakeFolderOptions = {}) {
  const { room = Number.POSITIVE_INFINITY, unopenable = '', unclosable = '', durable = true } = options;
  const files = new Map<string, { bytes: number[]; flushes: number; closed: boolean }>();
  const opened: string[] = [];
  let left = room;
  let { refusal } = options;
  const open: OpenRecordingFile = async (name) => {
    if (files.has(name)) {
      throw new DOMException('There is such a file.', 'InvalidModificationError');
    }
    if (unopenable !== '' && name.includes(unopenable)) {
      throw new DOMException('no', 'NotReadableError');
    }
    const file = { bytes: [] as number[], flushes: 0, closed: false };
    files.set(name, file);
    opened.push(name);
    return {
      name,
      durable,
      write(bytes) {
        if (refusal !== undefined && !name.endsWith('.recording')) {
          throw new DOMException('refused', refusal);
        }
        if (bytes.length > left && !name.endsWith('.recording')) {
          throw new DOMException('full', 'QuotaExceededError');
        }
        left -= name.endsWith('.recording') ? 0 : bytes.length;
        for (const byte of bytes) {
          file.bytes.push(byte);
        }
      },
      flush: () => {
        file.flushes++;
      },
      close: async () => {
        file.closed = true;
        if (unclosable !== '' && name.includes(unclosable)) {
          throw new DOMException('full', 'QuotaExceededError');
        }
      },
      discard: async () => {
        file.closed = true;
        files.delete(name);
      },
    };
  };
  const named = (part: string) =>
    [...files].filter(([name]) => name.includes(part)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files,
    opened,
    open,
    refuse: (name: string) => {
      refusal = name;
    },
    ofPort: (port: number) => named(`port-${port}`)[0]?.[1],
    partsOf: (part: string) => named(part).map(([, { bytes }]) => bytes),
    text: () => decode(named('.txt').flatMap(([, { bytes }]) => bytes)),
    index: () => parseRecordingIndex(decode(named('.recording')[0]?.[1].bytes ?? [])),
  };
}

const decode = (bytes: readonly number[]) => new TextDecoder().decode(Uint8Array.from(bytes));

const raw: RecordingRequest = {
  kind: 'raw',
  ports: [1, 2, 3, 4],
  portNames: { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' },
  splitBytes: null,
  folder: null,
};
const text: RecordingRequest = { ...raw, kind: 'text' };

function recorderOn({ open }: { open: OpenRecordingFile }) {
  const clock = new VirtualClock(1_000);
  const failures: RecordingFailure[] = [];
  const figures: object[][] = [];
  const bench = new Bench({ clock, onReceived: (port, bytes) => recorder.received(port, bytes) });
  const recorder: Recorder = new Recorder({
    clock,
    open,
    logFeed: (options) => bench.logFeed(options),
    onFigures: () => figures.push(recorder.running.map(({ lines, bytes }) => ({ lines, bytes }))),
    onFailure: (reason) => failures.push(reason),
  });
  return { clock, recorder, failures, figures, bench };
}

/** Advances the clock until pending promises have settled. */
const settled = async (clock: VirtualClock) => {
  for (let turn = 0; turn < 10; turn++) {
    await clock.settle();
  }
};

describe('recorder of bytes', () => {
  it('writes exactly what each port received, cut into parts of any size', async () => {
    const chunk = fc.record({
      port: fc.constantFrom(1 as const, 2 as const),
      bytes: fc.uint8Array({ maxLength: 2_000 }),
      wait: fc.integer({ min: 0, max: 900 }),
    });
    const split = fc.option(fc.integer({ min: 1, max: 3_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 40 }), split, async (chunks, splitBytes) => {
        const disk = fakeFolder();
        const { clock, recorder } = recorderOn(disk);
        const id = await recorder.start({ ...raw, splitBytes });
        for (const { port, bytes, wait } of chunks) {
          recorder.received(port, bytes);
          await clock.advance(wait);
        }
        await recorder.stop(id);
        for (const port of [1, 2] as const) {
          const sent = chunks.filter((part) => part.port === port).flatMap(({ bytes }) => [...bytes]);
          const parts = disk.partsOf(`-port-${port}`);
          expect(parts.flat()).toEqual(sent);
          expect(parts.map(({ length }) => length)).toEqual(expectedParts(sent.length, splitBytes));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('writes a burst larger than its buffer without waiting', async () => {
    const disk = fakeFolder();
    const { recorder } = recorderOn(disk);
    const id = await recorder.start(raw);
    recorder.received(1, new Uint8Array(600_000).fill(7));
    expect(disk.ofPort(1)?.bytes.length).toBe(2 * 256 * 1_024);
    await recorder.stop(id);
    expect(disk.ofPort(1)?.bytes.length).toBe(600_000);
  });

  it('has everything but the last second written when the tab is lost', async () => {
    const disk = fakeFolder();
    const { clock, recorder } = recorderOn(disk);
    await recorder.start(raw);
    recorder.received(1, Uint8Array.of(1, 2, 3));
    await clock.advance(1_000);
    recorder.received(1, Uint8Array.of(4));
    expect(disk.ofPort(1)?.bytes).toEqual([1, 2, 3]);
    expect(disk.index()).toMatchObject({ start: { kind: 'raw', startedAt: 1_000 }, end: null });
    await clock.advance(20_000);
    expect(disk.ofPort(1)?.flushes).toBeGreaterThan(0);
  });

  it('keeps only the files that hold anything, and closes all of them', async () => {
    const disk = fakeFolder();
    const { clock, recorder } = recorderOn(disk);
    const id = await recorder.start(raw);
    expect(recorder.running).toMatchObject([{ files: 0 }]);
    recorder.received(3, Uint8Array.of(1));
    expect(recorder.running).toMatchObject([{ files: 1 }]);
    await clock.advance(500);
    recorder.received(3, Uint8Array.of(1));
    expect(recorder.running).toMatchObject([{ files: 1 }]);
    expect(await recorder.stop(id)).toEqual({ id, files: [`${id}-port-3.bin`], folder: null });
    expect([...disk.files.keys()].sort()).toEqual([`${id}-port-3.bin`, `${id}.recording`]);
    expect([...disk.files.values()].every(({ closed }) => closed)).toBe(true);
    expect(disk.index()?.end).toEqual({ end: 'stopped', endedAt: 1_500 });
    expect(recorder.running).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('leaves nothing behind of a recording without content', async () => {
    const disk = fakeFolder();
    const { recorder } = recorderOn(disk);
    const id = await recorder.start({ ...raw, kind: 'both' });
    expect((await recorder.stop(id))?.files).toEqual([]);
    expect(disk.files.size).toBe(0);
  });

  it('leaves bytes aside that come before it starts or after it stopped, and of other ports', async () => {
    const disk = fakeFolder();
    const { recorder } = recorderOn(disk);
    recorder.received(1, Uint8Array.of(1));
    const id = await recorder.start({ ...raw, ports: [1] });
    recorder.received(1, Uint8Array.of(2));
    recorder.received(2, Uint8Array.of(9));
    await recorder.stop(id);
    recorder.received(1, Uint8Array.of(3));
    expect(disk.ofPort(1)?.bytes).toEqual([2]);
    expect(disk.ofPort(2)).toBeUndefined();
  });

  it('stops when the disk is full, and keeps what it has', async () => {
    const disk = fakeFolder({ room: 5 });
    const { clock, recorder, failures } = recorderOn(disk);
    const id = await recorder.start(raw);
    recorder.received(2, Uint8Array.of(1, 2, 3));
    await clock.advance(1_000);
    recorder.received(2, Uint8Array.of(4, 5, 6));
    await clock.advance(1_000);
    expect(failures).toEqual(['storage-full']);
    expect(recorder.running).toEqual([]);
    expect(disk.ofPort(2)?.bytes).toEqual([1, 2, 3]);
    expect(disk.index()?.end?.end).toBe('storage-full');
    expect(await recorder.stop(id)).toBeNull();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['NotAllowedError', 'not-allowed'],
    ['NotFoundError', 'folder-gone'],
    ['TimeoutError', 'too-slow'],
    ['InvalidStateError', 'not-writable'],
  ] as const)('says why it stops at a %s, and keeps what it has', async (error, reason) => {
    const disk = fakeFolder();
    const { clock, recorder, failures } = recorderOn(disk);
    await recorder.start(raw);
    recorder.received(1, Uint8Array.of(1));
    await clock.advance(1_000);
    disk.refuse(error);
    recorder.received(1, Uint8Array.of(2));
    await clock.advance(1_000);
    expect(failures).toEqual([reason]);
    expect(disk.ofPort(1)?.bytes).toEqual([1]);
  });

  it('closes what it opened when a file cannot be made, and can start later', async () => {
    const disk = fakeFolder({ unopenable: 'port-3' });
    const { clock, recorder } = recorderOn(disk);
    await expect(recorder.start(raw)).rejects.toThrow('no');
    expect(disk.files.size).toBe(0);
    expect(recorder.running).toEqual([]);
    expect(clock.pending).toBe(0);
    await recorder.start({ ...raw, ports: [1, 2] });
    expect(recorder.running).toHaveLength(1);
  });

  it('keeps the parts before one that cannot be made, and says why it stops', async () => {
    const disk = fakeFolder({ unopenable: 'part-003' });
    const { clock, recorder, failures } = recorderOn(disk);
    await recorder.start({ ...raw, ports: [1], splitBytes: 2 });
    recorder.received(1, Uint8Array.of(1, 2, 3, 4, 5));
    await settled(clock);
    expect(failures).toEqual(['not-writable']);
    expect(disk.partsOf('-port-1')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(recorder.running).toEqual([]);
  });

  it('says so when the last part does not get into its file, closes the others, and can start again', async () => {
    const disk = fakeFolder({ unclosable: 'port-1' });
    const { recorder, failures } = recorderOn(disk);
    const id = await recorder.start(raw);
    recorder.received(1, Uint8Array.of(1));
    recorder.received(2, Uint8Array.of(1));
    expect((await recorder.stop(id))?.files).toEqual([`${id}-port-1.bin`, `${id}-port-2.bin`]);
    expect(failures).toEqual(['storage-full']);
    expect([...disk.files.values()].every(({ closed }) => closed)).toBe(true);
    const next = await recorder.start(raw);
    await recorder.stop(next);
  });

  it('reports whether what it has would survive the tab', async () => {
    for (const durable of [true, false]) {
      const { recorder } = recorderOn(fakeFolder({ durable }));
      const id = await recorder.start(raw);
      expect(recorder.running).toMatchObject([{ id, durable }]);
      await recorder.stop(id);
    }
  });

  it('runs several at once, under names of their own, each until it is stopped', async () => {
    const disk = fakeFolder();
    const { recorder } = recorderOn(disk);
    const first = await recorder.start({ ...raw, ports: [1] });
    const second = await recorder.start({ ...raw, ports: [1] });
    expect(second).toBe(`${first}-2`);
    recorder.received(1, Uint8Array.of(1));
    await recorder.stop(first);
    recorder.received(1, Uint8Array.of(2));
    await recorder.stop(second);
    expect(disk.files.get(`${first}-port-1.bin`)?.bytes).toEqual([1]);
    expect(disk.files.get(`${second}-port-1.bin`)?.bytes).toEqual([1, 2]);
  });

  it('goes on with the other recordings when one fails', async () => {
    const disk = fakeFolder({ unopenable: 'part-002' });
    const { clock, recorder, failures } = recorderOn(disk);
    const failing = await recorder.start({ ...raw, ports: [1], splitBytes: 2 });
    const whole = await recorder.start({ ...raw, ports: [1] });
    recorder.received(1, Uint8Array.of(1, 2, 3));
    await settled(clock);
    expect(failures).toEqual(['not-writable']);
    expect(recorder.running.map(({ id }) => id)).toEqual([whole]);
    recorder.received(1, Uint8Array.of(4));
    expect(await recorder.stop(failing)).toBeNull();
    await recorder.stop(whole);
    expect(disk.files.get(`${whole}-port-1.bin`)?.bytes).toEqual([1, 2, 3, 4]);
  });
});

describe('recorder of text', () => {
  const part = fc.oneof(
    fc.record({
      port: fc.constantFrom<PortNumber>(1, 2, 3),
      received: fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', '\x1b[31m', '\t', '\x07'), maxLength: 12 }),
      wait: fc.constantFrom<number>(0, 5, 400, 1_500),
    }),
    fc.record({
      port: fc.constantFrom<PortNumber>(1, 2),
      sent: fc.string({ unit: fc.constantFrom('b', ' ', '\n'), minLength: 1, maxLength: 8 }),
      hidden: fc.constantFrom<boolean | string>(false, true, 'PIN'),
      wait: fc.constantFrom<number>(0, 5, 1_500),
    }),
  );

  it('reports its lines after each write, and its bytes where it records those', async () => {
    const { clock, recorder, bench, figures } = recorderOn(fakeFolder());
    const device = new FakeSerialPort();
    await bench.connect(1, device, defaultPortSettings);
    await recorder.start({ ...text, ports: [1] });
    device.receive('one\ntwo\nthr');
    await settled(clock);
    await clock.advance(1_000);
    expect(figures.at(-1)).toMatchObject([{ lines: 2 }]);
    await recorder.start({ ...raw, ports: [1] });
    device.receive('ee\n');
    await settled(clock);
    await clock.advance(1_000);
    expect(figures.at(-1)).toMatchObject([{ lines: 3 }, { lines: 0, bytes: 3 }]);
  });

  type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

  async function recorded(parts: readonly Part[], request: RecordingRequest) {
    const disk = fakeFolder();
    const { clock, recorder, bench } = recorderOn(disk);
    const devices = {
      1: new FakeSerialPort(),
      2: new FakeSerialPort(),
      3: new FakeSerialPort(),
      4: new FakeSerialPort(),
    };
    const id = await recorder.start(request);
    for (const port of [1, 2, 3] as const) {
      await bench.connect(port, devices[port], defaultPortSettings);
    }
    for (const step of parts) {
      if ('received' in step) {
        devices[step.port].receive(step.received);
      } else {
        await bench.send(step.port, new TextEncoder().encode(step.sent), { hidden: step.hidden });
      }
      await clock.settle();
      await clock.advance(step.wait);
    }
    const { ports } = request;
    const channels = [...ports.flatMap((port) => [`received-${port}`, `sent-${port}`] as const), 'notices'] as const;
    const exported = [...bench.exportText({ channels, portNames: request.portNames })]
      .map((bytes) => new TextDecoder().decode(bytes))
      .join('');
    await recorder.stop(id);
    // Sent bytes are still on the wire.
    const disposed = bench.dispose();
    await clock.advance(10_000);
    await disposed;
    return { disk, exported };
  }

  it('has exactly the lines of the text export, and in its order while no line stays open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 25 }), async (parts) => {
        const { disk, exported } = await recorded(parts, text);
        expect(disk.text().split('\n').sort()).toEqual(exported.split('\n').sort());
        if (parts.every((step) => !('received' in step) || /^$|\n$/.test(step.received))) {
          expect(disk.text()).toBe(exported);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has the order of the export for lines that stay open for less than a second', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 25 }), async (parts) => {
        const quick = parts.map((step) => ({ ...step, wait: Math.min(step.wait, 5) }));
        const { disk, exported } = await recorded(quick, text);
        expect(disk.text()).toBe(exported);
      }),
      { numRuns: 60 },
    );
  });

  it('never cuts a line, however small the parts are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 25 }),
        fc.integer({ min: 1, max: 400 }),
        async (parts, splitBytes) => {
          const quick = parts.map((step) => ({ ...step, wait: Math.min(step.wait, 5) }));
          const { disk, exported } = await recorded(quick, { ...text, splitBytes });
          expect(disk.text()).toBe(exported);
          for (const bytes of disk.partsOf('.txt')) {
            const content = decode(bytes);
            expect(content.endsWith('\n')).toBe(true);
            expect(bytes.length <= splitBytes || content.indexOf('\n') === content.length - 1).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has the chosen ports only, with the notices about them', async () => {
    const parts: Part[] = [
      { port: 1, received: 'aaa\n', wait: 0 },
      { port: 2, received: 'é\n', wait: 0 },
    ];
    const { disk } = await recorded(parts, { ...text, ports: [2], portNames: { ...text.portNames, 2: 'Motor' } });
    expect(disk.text().split('\n')).toEqual([
      expect.stringMatching(/ {2}Motor {2}SUCCESS {2}Port 2 connected/),
      expect.stringMatching(/ {2}Motor {2}RX {2}é$/),
      '',
    ]);
  });

  it('never has hidden input, only its length', async () => {
    const { disk } = await recorded([{ port: 1, sent: 'b b', hidden: true, wait: 0 }], { ...text, kind: 'both' });
    expect(disk.text()).toMatch(/TX {2}hidden, 3 bytes\n/);
    const named = await recorded([{ port: 1, sent: 'b b', hidden: 'PIN', wait: 0 }], { ...text, kind: 'both' });
    expect(named.disk.text()).toMatch(/TX {2}\[PIN, hidden\]\n/);
    expect(named.disk.text()).not.toContain('b b');
    expect(disk.text()).not.toContain('b b');
  });

  it('lets later lines pass one that stays open, and writes that one when it ends', async () => {
    const disk = fakeFolder();
    const { clock, recorder, bench } = recorderOn(disk);
    const board = new FakeSerialPort();
    await bench.connect(1, board, defaultPortSettings);
    const id = await recorder.start(text);
    board.receive('> ');
    await clock.advance(900);
    bench.notice('info', 'one', 1);
    await clock.advance(100);
    expect(disk.text()).toMatch(/^.*one\n$/);
    board.receive('help\n');
    await clock.advance(1_000);
    expect(disk.text()).toMatch(/^.*one\n.*> help\n$/);
    await recorder.stop(id);
    await bench.dispose();
  });

  it('has the lines that are cleared from the log', async () => {
    const disk = fakeFolder();
    const { clock, recorder, bench } = recorderOn(disk);
    const board = new FakeSerialPort();
    await bench.connect(1, board, defaultPortSettings);
    const id = await recorder.start(text);
    board.receive('one\ntw');
    await clock.settle();
    recorder.takeLines();
    bench.clear();
    board.receive('o\nthree\n');
    await clock.settle();
    await recorder.stop(id);
    expect(disk.text().match(/RX.*\n/g)).toEqual(['RX  one\n', 'RX  tw\n', 'RX  o\n', 'RX  three\n']);
    await bench.dispose();
  });

  it('loses no line of a flood through a small buffer', async () => {
    const disk = fakeFolder();
    const { clock, recorder, bench } = recorderOn(disk);
    bench.resize(256 << 10);
    const board = new FakeSerialPort();
    await bench.connect(1, board, defaultPortSettings);
    const id = await recorder.start(text);
    for (let count = 0; count < 200; count++) {
      board.receive(`${count} ${'x'.repeat(8_000)}\n`);
      await clock.settle();
    }
    await recorder.stop(id);
    expect(disk.text().match(/RX {2}\d+/g)).toEqual(Array.from({ length: 200 }, (_, count) => `RX  ${count}`));
    await bench.dispose();
  });
});

/** Returns the sizes of the files of so many bytes. */
function expectedParts(length: number, splitBytes: number | null): number[] {
  if (length === 0) {
    return [];
  }
  const size = splitBytes ?? length;
  const whole = Math.floor(length / size);
  const rest = length % size;
  return [...Array.from({ length: whole }, () => size), ...(rest > 0 ? [rest] : [])];
}
