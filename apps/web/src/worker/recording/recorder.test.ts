import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordingFailure } from '../../protocol/bench-protocol.ts';
import { Recorder } from './recorder.ts';
import type { OpenRecordingFile } from './recording-file.ts';

/** A folder in memory. `room` is the free space of the disk, in bytes. */
function folder({ room = Number.POSITIVE_INFINITY, unopenable = '', unclosable = '', durable = true } = {}) {
  const files = new Map<string, { bytes: number[]; flushes: number; closed: boolean }>();
  let left = room;
  const open: OpenRecordingFile = async (name) => {
    if (unopenable !== '' && name.includes(unopenable)) {
      throw new DOMException('no', 'NoModificationAllowedError');
    }
    const file = { bytes: [] as number[], flushes: 0, closed: false };
    files.set(name, file);
    return {
      name,
      durable,
      write(bytes) {
        if (bytes.length > left) {
          throw new DOMException('full', 'QuotaExceededError');
        }
        left -= bytes.length;
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
    };
  };
  const ofPort = (port: number) => [...files].find(([name]) => name.endsWith(`port-${port}.bin`))?.[1];
  return { files, open, ofPort };
}

function recorderOn({ open }: { open: OpenRecordingFile }) {
  const clock = new VirtualClock(1_000);
  const failures: RecordingFailure[] = [];
  const recorder = new Recorder({ clock, open, onFailure: (reason) => failures.push(reason) });
  return { clock, recorder, failures };
}

describe('recorder', () => {
  it('writes exactly what each port received, however it was cut', async () => {
    const chunk = fc.record({
      port: fc.constantFrom(1 as const, 2 as const),
      bytes: fc.uint8Array({ maxLength: 2_000 }),
      wait: fc.integer({ min: 0, max: 900 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 40 }), async (chunks) => {
        const disk = folder();
        const { clock, recorder } = recorderOn(disk);
        await recorder.start();
        for (const { port, bytes, wait } of chunks) {
          recorder.received(port, bytes);
          await clock.advance(wait);
        }
        await recorder.stop();
        for (const port of [1, 2] as const) {
          const sent = chunks.filter((part) => part.port === port).flatMap(({ bytes }) => [...bytes]);
          expect(disk.ofPort(port)?.bytes).toEqual(sent);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('writes a burst larger than its buffer without waiting', async () => {
    const disk = folder();
    const { recorder } = recorderOn(disk);
    await recorder.start();
    recorder.received(1, new Uint8Array(600_000).fill(7));
    expect(disk.ofPort(1)?.bytes.length).toBe(2 * 256 * 1_024);
    await recorder.stop();
    expect(disk.ofPort(1)?.bytes.length).toBe(600_000);
  });

  it('has everything but the last second written when the tab is lost', async () => {
    const disk = folder();
    const { clock, recorder } = recorderOn(disk);
    await recorder.start();
    recorder.received(1, Uint8Array.of(1, 2, 3));
    await clock.advance(1_000);
    recorder.received(1, Uint8Array.of(4));
    expect(disk.ofPort(1)?.bytes).toEqual([1, 2, 3]);
    await clock.advance(20_000);
    expect(disk.ofPort(1)?.flushes).toBeGreaterThan(0);
  });

  it('names the files that hold anything, and closes all of them', async () => {
    const disk = folder();
    const { clock, recorder } = recorderOn(disk);
    await recorder.start();
    recorder.received(3, Uint8Array.of(1));
    const names = await recorder.stop();
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/^wirebench-.*-port-3\.bin$/);
    expect([...disk.files.values()].every(({ closed }) => closed)).toBe(true);
    expect(recorder.status).toEqual({ state: 'off' });
    expect(clock.pending).toBe(0);
  });

  it('leaves bytes aside that come before it starts or after it stopped', async () => {
    const disk = folder();
    const { recorder } = recorderOn(disk);
    recorder.received(1, Uint8Array.of(1));
    await recorder.start();
    recorder.received(1, Uint8Array.of(2));
    await recorder.stop();
    recorder.received(1, Uint8Array.of(3));
    expect(disk.ofPort(1)?.bytes).toEqual([2]);
  });

  it('stops when the disk is full, and keeps what it has', async () => {
    const disk = folder({ room: 5 });
    const { clock, recorder, failures } = recorderOn(disk);
    await recorder.start();
    recorder.received(2, Uint8Array.of(1, 2, 3));
    await clock.advance(1_000);
    recorder.received(2, Uint8Array.of(4, 5, 6));
    await clock.advance(1_000);
    expect(failures).toEqual(['storage-full']);
    expect(recorder.status).toMatchObject({ state: 'failed', reason: 'storage-full' });
    expect(disk.ofPort(2)?.bytes).toEqual([1, 2, 3]);
    expect(await recorder.stop()).toEqual([expect.stringMatching(/-port-2\.bin$/)]);
    expect(recorder.status).toEqual({ state: 'off' });
    expect(clock.pending).toBe(0);
  });

  it('closes what it opened when a file cannot be made, and can start later', async () => {
    const disk = folder({ unopenable: 'port-3' });
    const { recorder } = recorderOn(disk);
    await expect(recorder.start()).rejects.toThrow('no');
    expect([...disk.files.values()].every(({ closed }) => closed)).toBe(true);
    expect(recorder.status).toEqual({ state: 'off' });
  });

  it('says so when the last part does not get into its file, closes the others, and can start again', async () => {
    const disk = folder({ unclosable: 'port-1' });
    const { recorder, failures } = recorderOn(disk);
    await recorder.start();
    recorder.received(2, Uint8Array.of(1));
    expect(await recorder.stop()).toEqual([expect.stringMatching(/-port-2\.bin$/)]);
    expect(failures).toEqual(['storage-full']);
    expect([...disk.files.values()].every(({ closed }) => closed)).toBe(true);
    expect(recorder.status).toEqual({ state: 'off' });
    await recorder.start();
    await recorder.stop();
  });

  it('reports whether what it has would survive the tab', async () => {
    for (const durable of [true, false]) {
      const { recorder } = recorderOn(folder({ durable }));
      await recorder.start();
      expect(recorder.status).toMatchObject({ state: 'recording', durable });
      await recorder.stop();
    }
  });

  it('refuses a second start while it runs', async () => {
    const { recorder } = recorderOn(folder());
    await recorder.start();
    await expect(recorder.start()).rejects.toThrow('A recording is already running.');
    await recorder.stop();
  });
});
