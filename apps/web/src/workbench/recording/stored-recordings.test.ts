import { afterEach, describe, expect, it, vi } from 'vitest';
import { endLine, startLine } from '../../protocol/recording-index.ts';
import { removeLeftOvers, removeRecording, storedRecordings } from './stored-recordings.ts';

const disk = vi.hoisted(() => ({
  files: new Map<string, { text: string; writtenAt: number; isRunning: boolean }>(),
}));
vi.mock('../../shared/storage/recording-folder.ts', () => ({
  storedFiles: async () =>
    [...disk.files].map(([name, { text, writtenAt, isRunning }]) => ({
      name,
      size: text.length,
      writtenAt,
      isRunning,
    })),
  recordedFile: async (name: string) => new File([disk.files.get(name)?.text ?? ''], name),
  removeStoredFile: async (name: string) => void disk.files.delete(name),
}));

const id = 'wirebench-2026-11-20-14-03-05';
const startedAt = new Date(2026, 10, 20, 14, 3, 5).getTime();
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const startOf = decode(
  startLine({ kind: 'both', ports: [1, 2], portNames: { 1: 'Motor', 2: 'Port 2' }, splitBytes: 4, startedAt }),
);

function put(name: string, text: string, { writtenAt = startedAt + 2_000, isRunning = false } = {}): void {
  disk.files.set(name, { text, writtenAt, isRunning });
}

afterEach(() => disk.files.clear());

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
    expect(disk.files.size).toBe(1);
  });

  it('of older versions have no entry, and say by their names what they are', async () => {
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
    expect([...disk.files.keys()]).toEqual([`${id}-2-port-1.bin`]);
    await removeRecording(`${id}-2-port-1.bin`);
    await expect(removeRecording(id)).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  it('that ended before anything came are deleted after a minute', async () => {
    put(`${id}.recording`, startOf);
    put(`${id}-port-1-part-001.bin`, '');
    await removeLeftOvers(startedAt + 30_000);
    expect(disk.files.size).toBe(2);
    expect(await storedRecordings()).toEqual([]);
    await removeLeftOvers(startedAt + 120_000);
    expect(disk.files.size).toBe(0);
  });
});
