/** Writing a simulated board: what is in its flash afterwards decides. */
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { FlashRegion } from '../../core/region.ts';
import { flashStart } from '../files/index.ts';
import type { RpError } from '../rp-failure.ts';
import { codeOf, RpRig } from '../testing/rp-rig.ts';

const MIB = 1_048_576;
const timeout = isLong ? 1_200_000 : 60_000;

/** Returns flash with the regions written over `before`. */
function after(before: Uint8Array, regions: readonly FlashRegion[]): Uint8Array {
  const flash = before.slice();
  for (const { offset, bytes } of regions) {
    flash.set(bytes, offset - flashStart);
  }
  return flash;
}

const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other);

/** Returns one to five regions within the first `room` bytes, without overlaps, of any alignment. */
function randomRegions(seed: string, room: number): FlashRegion[] {
  const draw = random(seed);
  const regions: FlashRegion[] = [];
  for (let at = draw.below(9_000); regions.length < 5 && at < room - 20_000; at += draw.below(30_000)) {
    const length = 1 + draw.below(draw.below(4) === 0 ? 20_000 : 700);
    regions.push({ offset: flashStart + at, bytes: randomBytes(length) });
    at += length;
  }
  return regions;
}

describe('a plan of random regions', () => {
  const plans = Array.from({ length: isLong ? 1_000 : 20 }, (_, index) => index);

  it.each(plans)(
    'leaves exactly its bytes in flash, and writes nothing a second time: %i',
    async (index) => {
      const room = 256 * 1_024;
      const before = randomBytes(room);
      const rig = new RpRig({ pace: 'none', content: [{ offset: 0, data: before }] });
      const board = await rig.connect();
      const regions = randomRegions(`plan ${index}`, room);
      const report = await rig.run(board.write(regions));
      expect(report).toMatchObject({ state: 'complete', repeated: 0 });
      expect(isEqual(rig.flash(flashStart, room), after(before, regions))).toBe(true);
      expect(await rig.run(board.write(regions))).toMatchObject({ written: 0 });
      await rig.run(board.close());
    },
    timeout,
  );
});

describe('a write', () => {
  it('erases only the sectors that differ', async () => {
    const before = randomBytes(64 * 1_024);
    const rig = new RpRig({ pace: 'none', content: [{ offset: 0, data: before }] });
    const board = await rig.connect();
    const bytes = before.slice();
    bytes[20_000] = (bytes[20_000] ?? 0) ^ 1;
    rig.device.flash.resetCounts();
    const report = await rig.run(board.write([{ offset: flashStart, bytes }]));
    expect(report).toMatchObject({ state: 'complete', written: 4_096, same: bytes.length - 4_096 });
    expect(rig.device.flash.erasedBytes).toBe(4_096);
    expect(rig.flash(flashStart, bytes.length)).toEqual(Uint8Array.from(bytes));
  });

  it('needs no erase in an empty flash, and finds its size once something is in it', async () => {
    const rig = new RpRig({ pace: 'none', content: 'empty', flashSize: 4 * MIB });
    const board = await rig.connect();
    expect(board.info.flashSize).toBeNull();
    rig.device.flash.resetCounts();
    await rig.run(board.write([{ offset: flashStart, bytes: randomBytes(50_000) }]));
    expect(rig.device.flash.erasedBytes).toBe(0);
    await rig.run(board.look());
    expect(board.info.flashSize).toBe(4 * MIB);
  });

  it('ends when an empty flash turns out to be smaller than the file', async () => {
    const rig = new RpRig({ pace: 'none', content: 'empty', flashSize: MIB });
    const board = await rig.connect();
    const error = await rig.run(
      board.write([{ offset: flashStart, bytes: randomBytes(MIB + 4_096) }]).catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({ code: 'too-large', state: 'incomplete' });
  });

  it('is refused outside of the flash before anything is sent', async () => {
    const rig = new RpRig({ pace: 'none' });
    const board = await rig.connect();
    const before = rig.device.flash.read(0, 2 * MIB);
    for (const offset of [flashStart - 4_096, flashStart + 2 * MIB - 256, 0x2000_0000]) {
      expect(await rig.run(codeOf(board.write([{ offset, bytes: new Uint8Array(512) }])))).toBe('outside-flash');
    }
    expect(isEqual(rig.device.flash.read(0, 2 * MIB), before)).toBe(true);
  });

  it('ends after a cancel, and can be called again', async () => {
    const rig = new RpRig({ profile: 'real-flash', content: [{ offset: 0, data: randomBytes(300_000) }] });
    const board = await rig.connect();
    const abort = new AbortController();
    rig.clock.schedule(1_500, () => abort.abort());
    const bytes = randomBytes(300_000);
    const start = rig.clock.now();
    const regions = [{ offset: flashStart, bytes }];
    expect(await rig.run(codeOf(board.write(regions, { signal: abort.signal })))).toBe('cancelled');
    expect(rig.clock.now() - start).toBeLessThan(2_500);
    expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete' });
  });

  it('fails with a code for a sector that does not erase and for a page that does not take', async () => {
    for (const at of ['erase', 'program'] as const) {
      const data = randomBytes(32 * 1_024);
      const rig = new RpRig({ pace: 'none', content: [{ offset: 0, data }], worn: [{ at, offset: 8_192 }] });
      const board = await rig.connect();
      const bytes = randomBytes(32 * 1_024);
      const error = await rig.run(board.write([{ offset: flashStart, bytes }]).catch((thrown: unknown) => thrown));
      expect(error).toMatchObject({ code: 'verify-mismatch', state: 'incomplete' });
    }
  });
});

describe('an interrupted write', () => {
  const moments = Array.from({ length: isLong ? 200 : 6 }, (_, index) => index);

  it.each(moments)(
    'is completed by the next one, also beside its regions: %i',
    async (index) => {
      const draw = random(`cut ${index}`);
      const before = randomBytes(128 * 1_024);
      const rig = new RpRig({ profile: 'real-flash', content: [{ offset: 0, data: before }] });
      const board = await rig.connect();
      const bytes = randomBytes(100_000);
      const region = { offset: flashStart + 300, bytes };
      rig.clock.schedule(draw.below(1_300), () => rig.device.unplug());
      const error = await rig.run(
        board.write([region]).then(
          () => null,
          (thrown: unknown) => thrown as RpError,
        ),
      );
      expect(error?.code).toBe('unplugged');
      await rig.run(board.close());
      rig.device.holdBootsel(true);
      rig.device.replug();
      const again = await rig.connect();
      const report = await rig.run(again.write([region, ...(error?.unrestored ?? [])]));
      expect(report.state).toBe('complete');
      expect(isEqual(rig.flash(flashStart, before.length), after(before, [region]))).toBe(true);
    },
    timeout,
  );
});

describe('an erase', () => {
  it('takes whole sectors and reads them back', async () => {
    const rig = new RpRig({ pace: 'none', content: [{ offset: 0, data: randomBytes(2 * MIB) }] });
    const board = await rig.connect();
    const before = rig.device.flash.read(0, 2 * MIB);
    await rig.run(board.erase([{ offset: flashStart + 0x3000, length: 0x5000 }]));
    const expected = before.slice().fill(0xff, 0x3000, 0x8000);
    expect(isEqual(rig.device.flash.read(0, 2 * MIB), expected)).toBe(true);
    expect(await rig.run(codeOf(board.erase([{ offset: flashStart + 100, length: 0x1000 }])))).toBe('outside-flash');
    await rig.run(board.erase(null));
    expect(rig.device.flash.read(0, 2 * MIB).every((byte) => byte === 0xff)).toBe(true);
  });
});

describe('speed of 1 MB with real flash times and full speed USB', () => {
  /** Erase and program of a W25Q16JV, typical times (data sheet, 9.6). */
  const flashTime = 256 * 45 + 4_096 * 0.4;

  it(
    'is near what the board can do, and without changes within a tenth of reading once',
    async () => {
      const rig = new RpRig({ profile: 'real-flash', content: [{ offset: 0, data: randomBytes(MIB) }] });
      const board = await rig.connect();
      const start = rig.clock.now();
      await rig.run(board.read({ offset: flashStart, length: MIB }));
      // The ROM moves each page over the bus of the flash before or after its packets, so reading takes longer than the wire.
      const moving = rig.clock.now() - start;
      const regions = [{ offset: flashStart, bytes: randomBytes(MIB) }];
      const { duration } = await rig.run(board.write(regions));
      const limit = flashTime + 2 * moving;
      expect(limit / duration).toBeGreaterThan(0.985);
      // Without any comparison this share, of the wire alone, would be 0.897: the ROM moves no page while packets come.
      expect((flashTime + (2 * MIB) / (19 * 64)) / duration).toBeGreaterThan(0.885);
      const again = await rig.run(board.write(regions));
      expect(again.written).toBe(0);
      expect(again.duration / moving).toBeLessThan(1.1);
    },
    timeout,
  );
});
