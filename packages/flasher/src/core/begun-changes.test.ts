/** Planned changes whose write is cut at any moment, at a flash that behaves as NOR flash does. */
import { systemClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../testing/program.ts';
import { BegunChanges, type ComparedBoard } from './begun-changes.ts';
import type { BoardChange } from './board-change.ts';
import { isSame } from './bytes.ts';
import { md5 } from './md5.ts';
import { type FlashRange, type FlashRegion, sectorSize } from './region.ts';
import { type ChangedBoard, writeChanges } from './write-changes.ts';

const range: FlashRange = { offset: 0x1_0000, length: 8 * sectorSize };
const pageSize = 256;
const never = new AbortController().signal;

class Cut extends Error {}

/** Flash of the range. The power is cut after a number of steps: an erase of a sector, or a programmed page. */
class Flash implements ComparedBoard, ChangedBoard {
  readonly bytes = noise(range.length, 7);
  left = Number.POSITIVE_INFINITY;

  async md5(): Promise<string> {
    return md5(this.bytes);
  }

  async holds({ offset, bytes }: FlashRegion): Promise<boolean> {
    return isSame(this.#part({ offset, length: bytes.length }), bytes);
  }

  async read(wanted: FlashRange): Promise<Uint8Array> {
    return this.#part(wanted).slice();
  }

  prove(bytes: Uint8Array) {
    return { kind: 'md5', value: md5(bytes) } as const;
  }

  async erase({ offset, length }: FlashRange): Promise<void> {
    for (let at = offset; at < offset + length; at += sectorSize) {
      const sector = this.#part({ offset: at, length: sectorSize });
      this.#step(() => sector.set(sector.map((byte, index) => byte | (index & 0xff))));
      sector.fill(0xff);
    }
  }

  async write(regions: readonly FlashRegion[]) {
    for (const { offset, bytes } of regions) {
      for (let at = 0; at < bytes.length; at += sectorSize) {
        const wanted = bytes.subarray(at, at + sectorSize);
        const sector = this.#part({ offset: offset + at, length: sectorSize });
        if (!isSame(sector, wanted)) {
          await this.erase({ offset: offset + at, length: sectorSize });
          for (let page = 0; page < sectorSize; page += pageSize) {
            const half = wanted.subarray(page, page + pageSize / 2);
            this.#step(() => sector.set(half, page));
            sector.set(wanted.subarray(page, page + pageSize), page);
          }
        }
      }
    }
    return { state: 'complete' as const, regions: [], written: 0, same: 0, sent: 0, duration: 0, repeated: 0 };
  }

  mismatch(kind: string, detail: string): Error {
    return new Error(`${kind}: ${detail}`);
  }

  failureOf(error: unknown): Error {
    return error as Error;
  }

  #part({ offset, length }: FlashRange): Uint8Array {
    return this.bytes.subarray(offset - range.offset, offset - range.offset + length);
  }

  /** @param half Does a part of the step, for the one that is cut. */
  #step(half: () => void): void {
    if (this.left-- <= 0) {
      half();
      throw new Cut();
    }
  }
}

const changes: fc.Arbitrary<BoardChange> = fc
  .record({
    erased: fc.option(fc.nat(7), { nil: null }),
    written: fc.array(fc.record({ sector: fc.nat(5), count: fc.integer({ min: 1, max: 3 }), seed: fc.nat(500) }), {
      minLength: 1,
      maxLength: 5,
    }),
    hasBasis: fc.boolean(),
  })
  .map(({ erased, written, hasBasis }) => ({
    name: 'files',
    range,
    basis: hasBasis ? md5(new Flash().bytes) : null,
    erases: erased === null ? [] : [{ offset: range.offset + erased * sectorSize, length: sectorSize }],
    writes: written.map(({ sector, count, seed }) => ({
      offset: range.offset + sector * sectorSize,
      bytes: noise(count * sectorSize, seed + 1),
    })),
  }));

/** Number of steps after which the power is cut, at most those of the largest change. */
const cuts = fc.nat(200);

function carryOut(flash: Flash, change: BoardChange, begun: BegunChanges) {
  begun.begin([change]);
  const quiet = { clock: systemClock, signal: never, onStage: () => undefined, onEvent: () => undefined };
  return writeChanges(flash, [change], { ...quiet, progress: begun.progress });
}

/** Returns the flash and what is known of the change after a write that may have been cut. */
async function afterCut(change: BoardChange, cut: number) {
  const flash = new Flash();
  const begun = new BegunChanges();
  begun.keep(range, flash.bytes.slice());
  flash.left = cut;
  const wasCut = await carryOut(flash, change, begun).then(
    () => false,
    (error: unknown) => error instanceof Cut,
  );
  flash.left = Number.POSITIVE_INFINITY;
  return { flash, begun, wasCut };
}

async function afterAll(change: BoardChange) {
  const flash = new Flash();
  await carryOut(flash, change, new BegunChanges());
  return flash.bytes;
}

describe('a planned change whose write was cut', () => {
  it('is finished, wherever the power was cut', () =>
    fc.assert(
      fc.asyncProperty(changes, cuts, async (change, cut) => {
        const { flash, begun, wasCut } = await afterCut(change, cut);
        fc.pre(wasCut);
        expect(await begun.isOutdated(change, flash, never)).toBe(false);
        await carryOut(flash, change, begun);
        expect(isSame(flash.bytes, await afterAll(change))).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it('is not continued over a sector that the program has written since', () =>
    fc.assert(
      fc.asyncProperty(changes, cuts, fc.nat(7), async (change, cut, sector) => {
        const { flash, begun, wasCut } = await afterCut({ ...change, basis: md5(new Flash().bytes) }, cut);
        fc.pre(wasCut);
        const based = { ...change, basis: md5(new Flash().bytes) };
        flash.bytes.set(noise(sectorSize, 9_999), sector * sectorSize);
        expect(await begun.isOutdated(based, flash, never)).toBe(true);
        // The board holds something else, whatever the page asks next.
        expect(await begun.isOutdated(based, flash, never)).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it('begins again if it replaces all contents and the program has written over what was done', () =>
    fc.assert(
      fc.asyncProperty(changes, cuts, fc.nat(7), async (change, cut, sector) => {
        const whole = { ...change, basis: null };
        const { flash, begun } = await afterCut(whole, cut);
        const written = [
          ...whole.erases,
          ...whole.writes.map(({ offset, bytes }) => ({ offset, length: bytes.length })),
        ];
        const at = range.offset + sector * sectorSize;
        fc.pre(written.some(({ offset, length }) => offset <= at && at < offset + length));
        flash.bytes.set(noise(sectorSize, 9_999), sector * sectorSize);
        await carryOut(flash, whole, begun);
        expect(isSame(flash.bytes, await afterAll(whole))).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it('is not begun at a board with other contents', async () => {
    const flash = new Flash();
    const change = { name: 'files', range, basis: md5(flash.bytes), erases: [], writes: [] };
    expect(await new BegunChanges().isOutdated(change, flash, never)).toBe(false);
    flash.bytes[5] = 1;
    expect(await new BegunChanges().isOutdated(change, flash, never)).toBe(true);
  });
});
