/** Flash next to the bytes that a ROM writes, on flash chips that do not report their size. */
import type { EspFault, EspFlashOptions } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { program } from '../../testing/program.ts';
import { differences, expectedAfter, fullFlash } from '../../testing/untouched.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

/** RDID of an Adesto chip with a type of unknown size. */
const UNKNOWN = 0x00_1f;
const SIZE = 0x4_0000;

interface Given extends Pick<EspFlashOptions, 'hashBeyond'> {
  readonly size: number;
  readonly faults?: readonly EspFault[];
}

async function connected({ size, faults, hashBeyond = 'refused' }: Given) {
  const before = fullFlash(size);
  const content = [{ offset: 0, data: before }];
  const rig = new EspRig({
    chip: 'esp32',
    pace: 'none',
    flash: { size, kind: UNKNOWN, hashBeyond, content },
    ...(faults && { faults }),
  });
  const board = await rig.connect({ stub: false });
  expect(board.info.flash).toMatchObject({ size: null });
  const { flash } = rig.device as unknown as { flash: { preload(at: number, data: Uint8Array): void } };
  /** Changes flash as soon as a region has been written. */
  const damaging = (at: number, bytes: Uint8Array) => ({
    onEvent: (event: WriteEvent) => {
      if (event.type === 'region') {
        flash.preload(at, bytes);
      }
    },
  });
  const unchecked = () => rig.notices.filter(({ kind }) => kind === 'neighbours-unchecked');
  return { rig, board, before, damaging, unchecked };
}

/** Regions whose surroundings reach beyond the last region, to the end of flash and beyond it. */
const bootloader = { offset: 0x1000, bytes: program(0x2000) };
const atEnd = { offset: SIZE - 0x2000, bytes: program(0x2000) };

describe('flash behind the last region, on a chip that does not report its size', () => {
  it('is checked, so that damage is not reported as success', async () => {
    for (const at of [0x5000, 0x7ffc, 0xcfff]) {
      const { rig, board, damaging } = await connected({ size: SIZE });
      const write = board.write([{ offset: 0x3000, bytes: program(0x1800) }], damaging(at, Uint8Array.of(0)));
      await expect(rig.run(write), at.toString(16)).rejects.toMatchObject({
        code: 'neighbour-changed',
        state: 'damaged',
        detail: expect.stringContaining('0x5000 to 0xCFFF'),
      });
    }
  });

  it('is checked also beyond the end of a smaller chip', async () => {
    for (const damage of [Uint8Array.of(0), new Uint8Array(0x8000).fill(0xff)]) {
      const { rig, board, damaging } = await connected({ size: 2 * SIZE });
      await expect(rig.run(board.write([bootloader, atEnd], damaging(SIZE, damage)))).rejects.toMatchObject({
        code: 'neighbour-changed',
        detail: expect.stringContaining('0x40000 to 0x47FFF'),
      });
    }
  });

  it('is absent, and reported so, when the ROM refuses to read on', async () => {
    const { rig, board, before, unchecked } = await connected({ size: SIZE });
    expect(await rig.run(board.write([bootloader, atEnd]))).toMatchObject({ state: 'complete', repeated: 0 });
    expect(unchecked()).toEqual([{ kind: 'neighbours-unchecked', offset: SIZE, length: 0x8000 }]);
    expect(differences(rig.flash(0, SIZE), expectedAfter(before, [bootloader, atEnd]))).toEqual([]);
  });

  it('is the start of flash again if addresses wrap: bytes written there are not damage', async () => {
    const { rig, board, unchecked } = await connected({ size: SIZE, hashBeyond: 'wrapped' });
    expect(await rig.run(board.write([atEnd, bootloader]))).toMatchObject({ state: 'complete' });
    expect(unchecked()).toEqual([]);
  });

  it('does not repeat a write when the ROM stops answering instead of refusing', async () => {
    // Hashes of a write: two regions, three neighbouring ranges, and then the range under test.
    const faults: readonly EspFault[] = [{ at: 'md5', kind: 'hang', nth: 6 }];
    const { rig, board, before, unchecked } = await connected({ size: 2 * SIZE, faults });
    expect(await rig.run(board.write([bootloader, atEnd]))).toMatchObject({ state: 'complete', repeated: 0 });
    expect(unchecked()).toHaveLength(1);
    expect(differences(rig.flash(0, 2 * SIZE), expectedAfter(before, [bootloader, atEnd]))).toEqual([]);
  });

  it('is not requested if no region comes near the end', async () => {
    const { rig, board, unchecked } = await connected({ size: SIZE, hashBeyond: 'refused' });
    expect(await rig.run(board.write([bootloader]))).toMatchObject({ state: 'complete' });
    expect(unchecked()).toEqual([]);
  });

  it('above two megabytes is written, although the ROM assumes no more', async () => {
    const { rig, board } = await connected({ size: 0x80_0000 });
    const far = { offset: 0x50_0000, bytes: program(0x3000) };
    expect(await rig.run(board.write([far]))).toMatchObject({ state: 'complete', repeated: 0 });
    expect(rig.flash(far.offset, far.bytes.length)).toEqual(far.bytes);
  });
});
