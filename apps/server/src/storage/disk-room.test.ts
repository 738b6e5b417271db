import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { DiskRoom } from './disk-room.ts';
import { freeBytesOf } from './disk-space.ts';

describe('room on a disk', () => {
  it('is there as long as the reserve is left', async () => {
    const disk = new DiskRoom({ reserve: 100, freeBytes: async () => 150 });
    expect(await disk.take(51)).toBeNull();
    expect(await disk.take(50)).not.toBeNull();
  });

  it('is kept for those that have it, until it is used or given back', async () => {
    let free = 1_000;
    const disk = new DiskRoom({ reserve: 100, freeBytes: async () => free });
    const first = await disk.take(600);
    expect(await disk.take(400)).toBeNull();
    // Written bytes are neither free nor expected any more.
    first?.use(500);
    free -= 500;
    expect(await disk.take(301)).toBeNull();
    const second = await disk.take(300);
    expect(second).not.toBeNull();
    first?.[Symbol.dispose]();
    expect(await disk.take(100)).not.toBeNull();
  });

  it('is not given twice to those that ask at the same moment', async () => {
    const disk = new DiskRoom({ reserve: 1, freeBytes: async () => 1_001 });
    const rooms = await Promise.all(Array.from({ length: 10 }, () => disk.take(300)));
    expect(rooms.filter((room) => room !== null)).toHaveLength(3);
  });

  it('is asked for again after the disk could not be', async () => {
    let isAway = true;
    const disk = new DiskRoom({
      reserve: 1,
      freeBytes: async () => (isAway ? Promise.reject(new Error('EIO')) : 101),
    });
    await expect(disk.take(100)).rejects.toThrow('EIO');
    isAway = false;
    expect(await disk.take(100)).not.toBeNull();
  });

  it('is not looked at without a reserve', async () => {
    const disk = new DiskRoom({ reserve: 0, freeBytes: () => Promise.reject(new Error('asked')) });
    expect(await disk.take(1_000)).not.toBeNull();
  });

  it('is what the system says', async () => {
    await using folder = await temporaryFolder();
    expect(await freeBytesOf(folder.path)).toBeGreaterThan(0);
  });
});
