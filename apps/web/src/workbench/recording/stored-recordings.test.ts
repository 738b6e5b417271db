import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endLine, startLine } from '../../protocol/recording-index.ts';
import { markRunning } from '../../shared/storage/recording-folder.ts';
import { fakePrivateFiles, PrivateFile, PrivateFolder } from '../../shared/storage/testing/private-files.ts';
import { removeLeftOvers, removeRecording, storedRecordings } from './stored-recordings.ts';

let folder: PrivateFolder;
/** Functions that end the recordings of other tabs. */
const running: (() => void)[] = [];

beforeEach(() => {
  const { folders } = fakePrivateFiles();
  folder = new PrivateFolder();
  folders.set('recordings', folder);
});
afterEach(() => {
  for (const end of running.splice(0)) {
    end();
  }
  vi.unstubAllGlobals();
});

const id = 'wirebench-2026-11-20-14-03-05';
const startedAt = new Date(2026, 10, 20, 14, 3, 5).getTime();
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const startOf = decode(
  startLine({ kind: 'both', ports: [1, 2], portNames: { 1: 'Motor', 2: 'Port 2' }, splitBytes: 4, startedAt }),
);

function put(name: string, text: string, { writtenAt = startedAt + 2_000, isRunning = false } = {}): void {
  const file = Object.assign(new PrivateFile(name), { content: new TextEncoder().encode(text), writtenAt });
  folder.files.set(name, file);
  if (isRunning) {
    running.push(markRunning(name));
  }
}

describe('recordings in this browser', () => {
  it('are one each, with all of its files that hold anything', async () => {
    put(`${id}.recording`, startOf + decode(endLine({ end: 'stopped', endedAt: startedAt + 3_000 })));
    put(`${id}-part-001.txt`, 'one\n');
    put(`${id}-part-002.txt`, 'two\n');
    put(`${id}-port-1-part-001.bin`, '12');
    put(`${id}-port-2-part-001.bin`, '');
    expect(await storedRecordings()).toMatchObject([
      {
        id,
        kind: 'both',
        ports: [1, 2],
        portNames: { 1: 'Motor' },
        state: 'stopped',
        startedAt,
        endedAt: startedAt + 3_000,
        bytes: 10,
        files: [{ name: `${id}-part-001.txt` }, { name: `${id}-part-002.txt` }, { name: `${id}-port-1-part-001.bin` }],
      },
    ]);
  });

  it('are cut off without an end, and last until the last write', async () => {
    put(`${id}.recording`, startOf, { writtenAt: startedAt });
    put(`${id}-part-001.txt`, 'one\n');
    expect(await storedRecordings()).toMatchObject([{ state: 'cut-off', endedAt: startedAt + 2_000 }]);
  });

  it('are running while a tab holds their entry, even without content, and cannot be deleted', async () => {
    put(`${id}.recording`, startOf, { isRunning: true });
    expect(await storedRecordings()).toMatchObject([{ id, state: 'running', bytes: 0, files: [] }]);
    await expect(removeRecording(id)).rejects.toThrow('still running');
    await removeLeftOvers(startedAt + 1e9);
    expect(folder.files.size).toBe(1);
  });

  it('have no entry in older versions, and are described by their names', async () => {
    put(`${id}-port-3.bin`, '123');
    expect(await storedRecordings()).toMatchObject([
      { id, kind: 'raw', ports: [3], startedAt, endedAt: startedAt + 2_000, state: 'cut-off', bytes: 3 },
    ]);
  });

  it('are deleted with all of their files, and no other', async () => {
    put(`${id}.recording`, startOf);
    put(`${id}-part-001.txt`, 'one\n');
    put(`${id}-2-port-1.bin`, 'x');
    await removeRecording(id);
    expect([...folder.files.keys()]).toEqual([`${id}-2-port-1.bin`]);
    await removeRecording(`${id}-2-port-1.bin`);
    await expect(removeRecording(id)).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  it('are deleted after a minute if they ended without content', async () => {
    put(`${id}.recording`, startOf);
    put(`${id}-port-1-part-001.bin`, '');
    await removeLeftOvers(startedAt + 30_000);
    expect(folder.files.size).toBe(2);
    expect(await storedRecordings()).toEqual([]);
    await removeLeftOvers(startedAt + 120_000);
    expect(folder.files.size).toBe(0);
  });
});
