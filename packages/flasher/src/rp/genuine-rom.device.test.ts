/**
 * The client against the genuine ROM of an RP2040 in an emulator. Runs if `RP2040_BOOTROM` names the ROM's file. What is in the
 * modelled flash afterwards decides.
 */
import { VirtualClock } from '@wirebench/clock';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { GenuineRom } from '../../../devices/src/rp/testing/rom/genuine-rom.ts';
import { genuineUsbDevice } from '../../../devices/src/rp/testing/rom/genuine-usb.ts';
import { bootRomWords } from '../../../devices/src/rp/testing/rom/words.ts';
import { runOn } from '../testing/run-on.ts';
import { connectRpUsb } from './connect/connect-rp-usb.ts';
import { flashStart } from './files/index.ts';
import type { RpBoard } from './rp-board.ts';
import type { RpError } from './rp-failure.ts';
import { codeOf } from './testing/rp-rig.ts';

const words = bootRomWords();
const MIB = 1_048_576;
const ROOM = 64 * 1_024;

class Rig {
  readonly clock = new VirtualClock(1_000);
  readonly rom: GenuineRom;
  readonly gone = new AbortController();

  constructor(content: Uint8Array) {
    const whole = new Uint8Array(2 * MIB).fill(0xff);
    whole.set(content);
    this.rom = new GenuineRom({
      words: words ?? new Uint32Array(),
      content: whole,
      times: { erase: 0.1, program: 0.02 },
    });
  }

  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }

  async connect(): Promise<RpBoard> {
    const device = await genuineUsbDevice(this.rom, this.clock);
    return this.run(connectRpUsb(device, { clock: this.clock, gone: this.gone.signal }));
  }

  flash(length: number): Uint8Array {
    return this.rom.flash.slice(0, length);
  }
}

describe.skipIf(words === null)('the genuine ROM of an RP2040', () => {
  it('is identified, erased, read and restarted', { timeout: 300_000 }, async () => {
    const rig = new Rig(randomBytes(ROOM));
    const board = await rig.connect();
    expect(board.info).toMatchObject({ chip: 'RP2040', revision: 'B1', flashSize: 2 * MIB, uniqueId: null });
    await rig.run(board.erase([{ offset: flashStart + 0x2000, length: 0x3000 }]));
    expect(
      rig
        .flash(0x5000)
        .slice(0x2000)
        .every((byte) => byte === 0xff),
    ).toBe(true);
    const read = await rig.run(board.read({ offset: flashStart, length: 0x6000 }));
    expect(Buffer.from(read).equals(rig.flash(0x6000))).toBe(true);
    expect(
      await rig.run(codeOf(board.write([{ offset: flashStart + 2 * MIB - 256, bytes: new Uint8Array(512) }]))),
    ).toBe('outside-flash');
    const restarting = board.restart();
    rig.clock.schedule(900, () => rig.gone.abort());
    await rig.run(restarting);
    rig.rom.advance(600);
    expect(rig.rom.restarts).toBe(1);
  });

  it.each(Array.from({ length: isLong ? 1_000 : 20 }, (_, index) => index))(
    'holds exactly the bytes of a random plan: %i',
    async (index) => {
      const draw = random(`genuine ${index}`);
      const before = randomBytes(ROOM);
      const rig = new Rig(before);
      const board = await rig.connect();
      const at = draw.below(20_000);
      const regions = [
        { offset: flashStart + at, bytes: randomBytes(1 + draw.below(6_000)) },
        { offset: flashStart + at + 6_000 + draw.below(20_000), bytes: randomBytes(1 + draw.below(600)) },
      ];
      const report = await rig.run(board.write(regions));
      expect(report).toMatchObject({ state: 'complete', repeated: 0 });
      const expected = before.slice();
      for (const { offset, bytes } of regions) {
        expected.set(bytes, offset - flashStart);
      }
      expect(Buffer.from(rig.flash(ROOM)).equals(expected)).toBe(true);
      expect(await rig.run(board.write(regions))).toMatchObject({ written: 0 });
    },
    300_000,
  );

  it.each(Array.from({ length: isLong ? 200 : 6 }, (_, index) => index))(
    'is completed by the next write after USB was cut: %i',
    async (index) => {
      const before = randomBytes(ROOM);
      const rig = new Rig(before);
      const board = await rig.connect();
      const region = { offset: flashStart + 300, bytes: randomBytes(20_000) };
      rig.clock.schedule(random(`cut ${index}`).below(40), () => rig.gone.abort());
      const error = await rig.run(
        board.write([region]).then(
          () => null,
          (thrown: unknown) => thrown as RpError,
        ),
      );
      expect(error === null || error.code === 'unplugged').toBe(true);
      // The board lost its power with USB: the flash is what is left of it.
      const next = new Rig(rig.flash(2 * MIB));
      const again = await next.connect();
      await next.run(again.write([region, ...(error?.unrestored ?? [])]));
      const expected = before.slice();
      expected.set(region.bytes, 300);
      expect(Buffer.from(next.flash(ROOM)).equals(expected)).toBe(true);
    },
    300_000,
  );
});
