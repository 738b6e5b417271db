import { describe, expect, it } from 'vitest';
import type { FlashRegion } from './region.ts';
import { filesOfUnrestored, UnfinishedBoards, type UnrestoredFlash, writeWithUnrestored } from './unrestored.ts';

const region = (offset: number, ...bytes: number[]): FlashRegion => ({ offset, bytes: Uint8Array.from(bytes) });

class Cut extends Error {
  readonly left: readonly FlashRegion[];

  constructor(...left: FlashRegion[]) {
    super('cut');
    this.left = left;
  }
}

/** Writes regions, and returns what was written. A `cut` ends the write. */
async function write(
  unrestored: UnrestoredFlash,
  regions: readonly FlashRegion[],
  { cut = null, eraseAll = false }: { readonly cut?: Cut | null; readonly eraseAll?: boolean } = {},
) {
  let written: readonly FlashRegion[] = [];
  const work = writeWithUnrestored({
    unrestored,
    regions,
    eraseAll,
    write: async (all) => {
      written = all;
      if (cut !== null) {
        throw cut;
      }
    },
    leftBy: (error) => (error instanceof Cut ? error.left : []),
  });
  await (cut === null ? work : expect(work).rejects.toBe(cut));
  return written;
}

describe('files of data beside a failed write', () => {
  it('have the chip, the id and the address in their names', () => {
    const [file, ...others] = filesOfUnrestored({ name: 'ESP32-S3', id: '24:0A:C4:00:01:10' }, [region(0x9000, 1, 2)]);
    const bytes = Uint8Array.of(1, 2);
    const name = 'esp32s3-240ac4000110-0x9000.bin';
    expect(file).toEqual({ name, bytes, isPutBack: true, offset: 0x9000, mayHoldSecrets: true });
    expect(others).toEqual([]);
    expect(filesOfUnrestored({ name: 'STM32F407', id: null }, [region(0x800_0000, 1)])[0]?.name).toBe(
      'stm32f407-0x08000000.bin',
    );
  });
});

describe('data beside a failed write', () => {
  it('is written with the next write, and only once', async () => {
    const unrestored: UnrestoredFlash = { regions: [] };
    await write(unrestored, [region(0, 1, 2)], { cut: new Cut(region(2, 8, 9)) });
    expect(await write(unrestored, [region(0, 1, 2)])).toEqual([region(0, 1, 2), region(2, 8, 9)]);
    expect(await write(unrestored, [region(0, 1, 2)])).toEqual([region(0, 1, 2)]);
  });

  it('yields to a larger region byte by byte', async () => {
    const unrestored: UnrestoredFlash = { regions: [region(2, 6, 7, 8, 9)] };
    expect(await write(unrestored, [region(0, 1, 2, 3), region(4, 5)])).toEqual([
      region(0, 1, 2, 3),
      region(4, 5),
      region(3, 7),
      region(5, 9),
    ]);
  });

  it('is remembered until a write succeeds, also when a later one fails elsewhere', async () => {
    const unrestored: UnrestoredFlash = { regions: [] };
    await write(unrestored, [region(0, 1)], { cut: new Cut(region(1, 7)) });
    await write(unrestored, [region(8, 2)], { cut: new Cut(region(9, 8)) });
    await write(unrestored, [region(8, 2)], { cut: new Cut() });
    expect(await write(unrestored, [])).toEqual([region(1, 7), region(9, 8)]);
  });

  it('takes the newer contents of the same bytes', async () => {
    const unrestored: UnrestoredFlash = { regions: [region(0, 1, 2, 3)] };
    await write(unrestored, [region(8, 2)], { cut: new Cut(region(1, 9)) });
    expect(await write(unrestored, [])).toEqual([region(0, 1), region(2, 3), region(1, 9)]);
  });

  it('is dropped when the flash is erased on purpose, even if that write fails', async () => {
    const unrestored: UnrestoredFlash = { regions: [region(2, 9)] };
    expect(await write(unrestored, [region(0, 1)], { cut: new Cut(), eraseAll: true })).toEqual([region(0, 1)]);
    expect(await write(unrestored, [region(0, 1)])).toEqual([region(0, 1)]);
  });
});

describe('boards with unrestored data', () => {
  it('are recognised by their ids at every place', () => {
    const boards = new UnfinishedBoards<UnrestoredFlash>(() => ({ regions: [] }));
    const one = boards.of({ id: 'A', chip: 'F103', place: 1, isSame: false });
    expect(boards.of({ id: 'A', chip: 'F103', place: 2, isSame: false })).toBe(one);
    expect(boards.of({ id: 'B', chip: 'F103', place: 1, isSame: true })).not.toBe(one);
  });

  it('without ids are recognised only when they are connected again', () => {
    const boards = new UnfinishedBoards<UnrestoredFlash>(() => ({ regions: [] }));
    const board = { id: null, chip: 'F407', place: 1 };
    const one = boards.of({ ...board, isSame: false });
    expect(boards.of({ ...board, isSame: true })).toBe(one);
    expect(boards.of({ ...board, chip: 'F103', isSame: true })).not.toBe(one);
    expect(boards.of({ ...board, place: 2, isSame: true })).not.toBe(one);
    const other = boards.of({ ...board, isSame: false });
    expect(other).not.toBe(one);
    expect(boards.of({ ...board, isSame: true })).toBe(other);
  });
});
