import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openStreamRecordingFile } from './stream-recording-file.ts';

/** Simulates a file of the browser: bytes written to a stream reach the file when the stream closes. */
class StoredFile {
  content = new Uint8Array();
  streams = 0;
  /** Number of bytes that the disk accepts. */
  room = Number.POSITIVE_INFINITY;

  readonly createWritable = async ({ keepExistingData = false } = {}) => {
    this.streams++;
    let data = keepExistingData ? [...this.content] : [];
    let position = 0;
    return {
      seek: async (to: number) => {
        position = to;
      },
      write: async (bytes: Uint8Array) => {
        if (data.length + bytes.length > this.room) {
          throw new DOMException('full', 'QuotaExceededError');
        }
        data = [...data.slice(0, position), ...bytes];
        position += bytes.length;
      },
      close: async () => {
        this.content = Uint8Array.from(data);
      },
    };
  };
}

let stored: StoredFile;
const removed: string[] = [];
vi.mock('../../shared/storage/recording-folder.ts', () => ({
  recordingFolder: async () => ({ removeEntry: async (name: string) => removed.push(name) }),
  newFile: async () => stored,
  markRunning: () => () => undefined,
}));

/** Resolves after all pending requests were processed. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const part = (length: number, byte: number) => new Uint8Array(length).fill(byte);

describe('a recording through a stream', () => {
  beforeEach(() => {
    stored = new StoredFile();
  });

  it('is in the file when it was closed, in order, whatever was flushed between', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    const parts = [part(10, 1), part(1, 2), part(200, 3), part(7, 4)];
    for (const bytes of parts) {
      file.write(bytes);
      file.flush();
    }
    await file.close();
    expect([...stored.content]).toEqual(parts.flatMap((bytes) => [...bytes]));
  });

  it('has what was flushed when the tab is lost', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    file.write(part(100, 1));
    file.flush();
    file.write(part(50, 2));
    await settled();
    expect(stored.content).toEqual(part(100, 1));
  });

  it('does not copy a long recording for a few more bytes, until no more come', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    file.write(part(1_000, 1));
    file.flush();
    await settled();
    const { streams } = stored;
    file.write(part(10, 2));
    file.flush();
    await settled();
    expect([stored.streams, stored.content.length]).toEqual([streams, 1_000]);
    file.flush();
    await settled();
    expect([stored.streams, stored.content.length]).toEqual([streams + 1, 1_010]);
    file.flush();
    await settled();
    expect(stored.streams).toBe(streams + 1);
  });

  it('that the disk does not take says so with the next write, and at the end', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    file.write(part(20, 1));
    file.flush();
    stored.room = 30;
    file.write(part(20, 2));
    await settled();
    expect(() => file.write(part(1, 3))).toThrow('full');
    await expect(file.close()).rejects.toThrow('full');
    expect(stored.content).toEqual(part(20, 1));
  });

  it('keeps its bytes when the buffer they came in is used again', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    const buffer = part(4, 1);
    file.write(buffer);
    buffer.fill(9);
    await file.close();
    expect(stored.content).toEqual(part(4, 1));
  });

  it('is gone when it was discarded', async () => {
    const file = await openStreamRecordingFile('a.bin', null);
    file.write(part(4, 1));
    await file.discard();
    expect(removed).toEqual(['a.bin']);
  });

  it('ends when the disk is so slow that too much waits for it, and keeps what is on the disk', async () => {
    const { createWritable } = stored;
    const slow = Promise.withResolvers<void>();
    stored = Object.assign(new StoredFile(), {
      createWritable: async () => ({ ...(await createWritable()), write: () => slow.promise }),
    });
    const file = await openStreamRecordingFile('a.bin', null);
    const piece = part(16 << 20, 1);
    for (let count = 0; count < 4; count++) {
      file.write(piece);
    }
    expect(() => file.write(part(1, 2))).toThrow('slower');
    slow.resolve();
    await file.close();
  });
});
