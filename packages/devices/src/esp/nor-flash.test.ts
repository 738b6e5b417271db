import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { blockSize, NorFlash, sectorSize } from './nor-flash.ts';
import type { EspProfile } from './options.ts';

const size = 4 * blockSize;
const flashOf = (profile: EspProfile) => {
  const flash = new NorFlash(size, profile, createRandom(1, 'test'));
  flash.settle(0);
  return flash;
};

describe('NOR flash', () => {
  it('is the AND of everything programmed since the last erase', () => {
    const writes = fc.array(fc.record({ offset: fc.nat(600), data: fc.uint8Array({ minLength: 1, maxLength: 300 }) }));
    fc.assert(
      fc.property(writes, (all) => {
        const flash = flashOf('instant-flash');
        const model = new Uint8Array(1_024).fill(0xff);
        for (const { offset, data } of all) {
          flash.program(0, offset, data);
          for (const [index, byte] of data.entries()) {
            model[offset + index] = (model[offset + index] ?? 0xff) & byte;
          }
        }
        expect(flash.read(0, model.length)).toEqual(model);
      }),
    );
  });

  it('never turns a 0 into a 1 by programming', () => {
    const flash = flashOf('instant-flash');
    flash.program(0, 0, Uint8Array.of(0x0f));
    flash.program(0, 0, Uint8Array.of(0xf3));
    expect(flash.read(0, 1)[0]).toBe(0x03);
  });

  it('erases whole sectors and blocks, and nothing beside them', () => {
    const flash = flashOf('instant-flash');
    flash.preload(0, new Uint8Array(size));
    flash.eraseRange(0, blockSize - sectorSize, 2 * blockSize + sectorSize);
    expect(flash.erasedBytes).toBe(blockSize + 2 * sectorSize);
    const cells = flash.read(0, size);
    expect(cells.indexOf(0xff)).toBe(blockSize - sectorSize);
    expect(cells.lastIndexOf(0xff)).toBe(2 * blockSize + sectorSize - 1);
  });

  it.each([
    ['real-flash', 45, 150, 0.4],
    ['slow-flash', 400, 2_000, 3],
  ] as const)(
    'takes the times of %s: %i ms for a sector, %i ms for a block and %f ms for a page',
    (profile, sector, block, page) => {
      const flash = flashOf(profile);
      flash.erase(0, 0, sectorSize);
      expect(flash.busyUntil).toBe(sector);
      flash.erase(0, blockSize, blockSize);
      expect(flash.busyUntil).toBe(sector + block);
      flash.program(0, 0x80, new Uint8Array(256));
      expect(flash.busyUntil).toBeCloseTo(sector + block + 2 * page);
    },
  );

  it('shows an operation only when it has ended', () => {
    const flash = flashOf('real-flash');
    flash.preload(0, new Uint8Array(sectorSize));
    flash.erase(0, 0, sectorSize);
    flash.settle(44);
    expect(flash.read(0, 1)[0]).toBe(0);
    flash.settle(45);
    expect(flash.read(0, 1)[0]).toBe(0xff);
  });

  it('finishes the running operation and drops the queued ones when it is abandoned', () => {
    const flash = flashOf('real-flash');
    flash.preload(0, new Uint8Array(2 * sectorSize));
    flash.erase(0, 0, sectorSize);
    flash.erase(0, sectorSize, sectorSize);
    flash.abandon(20);
    expect(flash.busyUntil).toBe(45);
    flash.settle(100);
    expect(new Set(flash.read(0, sectorSize))).toEqual(new Set([0xff]));
    expect(new Set(flash.read(sectorSize, sectorSize))).toEqual(new Set([0]));
  });

  it('leaves pages behind a power cut unprogrammed', () => {
    const flash = flashOf('real-flash');
    flash.program(0, 0, new Uint8Array(4 * 256));
    flash.interrupt(0.9);
    expect(flash.read(0, 4 * 256).lastIndexOf(0)).toBe(2 * 256 - 1);
    expect(flash.busyUntil).toBe(0.9);
  });

  it('leaves a sector half erased by a power cut, and forgets what had not begun', () => {
    const flash = flashOf('real-flash');
    flash.preload(0, new Uint8Array(2 * sectorSize));
    flash.erase(0, 0, sectorSize);
    flash.erase(0, sectorSize, sectorSize);
    flash.interrupt(20);
    const cells = flash.read(0, 2 * sectorSize);
    const touched = cells.subarray(0, sectorSize).filter((byte) => byte !== 0).length;
    expect(touched).toBeGreaterThan(sectorSize / 10);
    expect(touched).toBeLessThan((sectorSize * 9) / 10);
    expect(cells.subarray(sectorSize).every((byte) => byte === 0)).toBe(true);
  });
});
