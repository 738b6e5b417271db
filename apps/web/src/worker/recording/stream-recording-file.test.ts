import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakePrivateFiles, PrivateFile, PrivateFolder } from '../../shared/storage/testing/private-files.ts';
import { openStreamRecordingFile } from './stream-recording-file.ts';

/** The only file of the recordings, which a test opens. */
let stored: PrivateFile;
let folder: PrivateFolder;

/** Resolves after all pending requests were processed. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const part = (length: number, byte: number) => new Uint8Array(length).fill(byte);

describe('a recording through a stream', () => {
  beforeEach(() => {
    const { folders } = fakePrivateFiles();
    stored = new PrivateFile('a.bin');
    folder = new PrivateFolder();
    folder.make = () => stored;
    folders.set('recordings', folder);
  });
  afterEach(() => vi.unstubAllGlobals());

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

  it('reports a failed write of the disk with the next write and at the end', async () => {
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
    expect(folder.files.size).toBe(1);
    await file.discard();
    expect(folder.files.size).toBe(0);
  });

  it('ends when the disk is so slow that too much waits for it, and keeps what is on the disk', async () => {
    const slow = Promise.withResolvers<void>();
    stored.disk = slow.promise;
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
