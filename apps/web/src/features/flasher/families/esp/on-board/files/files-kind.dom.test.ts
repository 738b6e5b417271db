import { buildImage } from '@wirebench/flasher/file-systems';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { testPartition as partition } from '../../../../testing/families.ts';
import { stubFileSystemWorker } from '../../../../testing/file-system-worker.ts';
import { filesKind } from './files-kind.ts';

const { size } = partition;
const files = ['/config.json', '/log/old.txt', '/data.bin'].map((path) => ({ path, bytes: new Uint8Array(20) }));
const image = buildImage('littlefs', size, files);

beforeAll(stubFileSystemWorker);
afterAll(() => vi.unstubAllGlobals());

it('partitions of files are described in a line, and are those of file systems and those that hold LittleFS', async () => {
  expect(await filesKind.describe(partition, image)).toBe('LittleFS, 3 files, 13 % full');
  expect(filesKind.describe(partition, null)).toBeNull();
  expect(filesKind.shows(partition, new Uint8Array(4_096))).toBe(true);
  expect(filesKind.shows({ ...partition, subtype: 0x40 }, image.subarray(0, 4_096))).toBe(true);
  expect(filesKind.shows({ ...partition, subtype: 2 }, new Uint8Array(4_096))).toBe(false);
});
