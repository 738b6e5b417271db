/**
 * Our client on genuine bootloaders of Arduino boards, which libsimavr runs: after each write all of the flash is
 * compared, the bootloader included. Runs where libsimavr, a compiler and Debian's bootloaders are installed. Tests of
 * the long run are repeated here for genuine bootloaders: `npm test` decides them on simulated boards.
 */
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { afterEach, describe, expect, it } from 'vitest';
import type { FlashRegion } from '../core/region.ts';
import type { RigWiring } from '../testing/port-rig.ts';
import type { AvrBoard, AvrConnectOptions } from './avr-board.ts';
import { connectAvr } from './connect/connect-avr.ts';
import { type GenuineBoardName, hasBootloader } from './testing/genuine/genuine-boards.ts';
import { GenuineRig } from './testing/genuine/genuine-rig.ts';
import { provideSimavrBoard } from './testing/genuine/simavr-process.ts';
import { floodingSketch, sketch } from './testing/genuine/sketches.ts';

const simavr = provideSimavrBoard();
const program = 'program' in simavr ? simavr.program : '';
let rigs: GenuineRig[] = [];

afterEach(() => {
  for (const rig of rigs) {
    rig.end();
  }
  rigs = [];
});

interface Options extends RigWiring {
  /** Contents of flash before the test, from address 0. */
  readonly before?: Uint8Array;
}

function plugIn(name: GenuineBoardName, { before = sketch(4_096, 9), ...wiring }: Options = {}): GenuineRig {
  const rig = new GenuineRig(program, name, wiring);
  rigs.push(rig);
  rig.preset(0, before);
  return rig;
}

function connect(rig: GenuineRig, options: Partial<AvrConnectOptions> = {}): Promise<AvrBoard> {
  return rig.run(connectAvr(rig.port, { clock: rig.clock, ...options }));
}

/** Returns `before` with `regions` written over it. */
function withRegions(before: Uint8Array, regions: readonly FlashRegion[]): Uint8Array {
  const after = before.slice();
  for (const { offset, bytes } of regions) {
    after.set(bytes, offset);
  }
  return after;
}

/** Returns the address at which the bootloader begins. */
function bootStartOf(rig: GenuineRig): number {
  const flash = rig.flash();
  return flash.subarray(flash.length / 2).findIndex((byte) => byte !== 0xff) + flash.length / 2;
}

/** Expects flash to equal `expected`, and names the first address that differs. */
function expectFlash(rig: GenuineRig, expected: Uint8Array): void {
  const flash = rig.flash();
  const at = flash.findIndex((byte, index) => byte !== expected[index]);
  expect(at === -1 ? 'equal' : `differs at 0x${at.toString(16)}`).toBe('equal');
}

/** Address of the loop in `sketch`. */
const LOOP = 0;

/** The first three have each bootloader once. */
const boards = firstUnlessLong(['uno', 'oldNano', 'mega', 'nano', 'megaClone'], 3);

const facts = {
  uno: { bootloader: 'optiboot', bootloaderVersion: '4.4', signature: '0x1E950F', entered: 'lines' },
  nano: { bootloader: 'optiboot', bootloaderVersion: '4.4', signature: '0x1E950F', entered: 'lines' },
  oldNano: { bootloader: 'atmegaboot', bootloaderVersion: '1.16', signature: '0x1E950F', isOldBootloader: true },
  mega: { bootloader: 'stk500boot', signature: '0x1E9801', writesInOrder: true },
  megaClone: { bootloader: 'stk500boot', signature: '0x1E9801', writesInOrder: true },
} as const;

describe.runIf(program !== '')('genuine bootloaders in simavr', () => {
  it.each(boards)('identifies %s, writes over another sketch, reads it and starts it', async (name) => {
    const rig = plugIn(name);
    const before = rig.flash();
    const board = await connect(rig);
    expect(board.info).toMatchObject({ isOldBootloader: false, ...facts[name] });
    const regions = [{ offset: 0, bytes: sketch(1_500) }];
    const report = await rig.run(board.write(regions));
    expect(report.state).toBe('complete');
    expect(report.regions.map(({ outcome }) => outcome)).toEqual(['verified']);
    const expected = withRegions(before, regions);
    expectFlash(rig, expected);
    expect(await rig.run(board.read({ offset: 1_400, length: 400 }))).toEqual(expected.slice(1_400, 1_800));
    await rig.run(board.restart());
    await rig.run(board.close());
    expectFlash(rig, expected);
    // ATmegaBOOT answers the command to leave, and leaves after a second without a byte.
    await rig.run(rig.clock.sleep(name === 'oldNano' ? 2_000 : 300));
    expect(rig.device.process.programCounter).toBe(LOOP);
  });

  it.runIf(isLong)('fills the flash of an Uno up to its bootloader', async () => {
    const rig = plugIn('uno');
    const before = rig.flash();
    const regions = [{ offset: 0, bytes: sketch(bootStartOf(rig)) }];
    const board = await connect(rig);
    await rig.run(board.write(regions));
    expectFlash(rig, withRegions(before, regions));
  });

  it.runIf(isLong)('keeps what surrounds a region, and writes above 128 KB', async () => {
    const rig = plugIn('mega', { before: sketch(0x2_0a00, 5) });
    const before = rig.flash();
    const regions = [{ offset: 0x2_0120, bytes: sketch(900) }];
    const board = await connect(rig);
    await rig.run(board.write(regions));
    expectFlash(rig, withRegions(before, regions));
  });

  it.each(['uno', 'mega'] as const)('sends no page to %s when nothing has changed', async (name) => {
    const regions = [{ offset: 0, bytes: sketch(3_000) }];
    const rig = plugIn(name, { before: sketch(3_000) });
    const before = rig.flash();
    const board = await connect(rig);
    expect(await rig.run(board.write(regions))).toMatchObject({ state: 'complete', written: 0, same: 3_000 });
    expectFlash(rig, before);
  });

  it.each(firstUnlessLong(['uno', 'mega', 'oldNano'], 2))(
    'changes one page in the middle on %s, twice',
    async (name) => {
      const rig = plugIn(name, { before: sketch(3_000) });
      const before = rig.flash();
      const board = await connect(rig);
      for (const value of [0x00, 0xff]) {
        const bytes = sketch(3_000);
        bytes.fill(value, 1_100, 1_130);
        await rig.run(board.write([{ offset: 0, bytes }]));
        expectFlash(rig, withRegions(before, [{ offset: 0, bytes }]));
      }
    },
  );

  it.each(['oldNano', 'mega'] as const)('writes and reads EEPROM on %s and keeps its other bytes', async (name) => {
    const rig = plugIn(name);
    const flash = rig.flash();
    const board = await connect(rig);
    expect(board.info.hasEeprom).toBe(true);
    const first = [{ offset: 0, bytes: sketch(100) }];
    await rig.run(board.write([], { eeprom: first }));
    const second = [{ offset: 37, bytes: sketch(21, 4) }];
    const report = await rig.run(board.write([], { eeprom: second }));
    expect(report.eeprom.map(({ outcome }) => outcome)).toEqual(['verified']);
    const empty = new Uint8Array(board.info.eepromSize).fill(0xff);
    const expected = withRegions(empty, [...first, ...second]);
    expect(rig.eeprom()).toEqual(expected);
    expect(await rig.run(board.readEeprom({ offset: 30, length: 80 }))).toEqual(expected.slice(30, 110));
    expectFlash(rig, flash);
  });

  it('refuses EEPROM on optiboot, which would write flash', async () => {
    const rig = plugIn('uno');
    const before = rig.flash();
    const board = await connect(rig);
    expect(board.info.hasEeprom).toBe(false);
    const eeprom = [{ offset: 0, bytes: sketch(16) }];
    const write = board.write([{ offset: 0, bytes: sketch(500) }], { eeprom });
    await expect(rig.run(write)).rejects.toMatchObject({ code: 'eeprom-unsupported', state: 'unchanged' });
    expectFlash(rig, before);
  });

  it('reads the fuses that stk500boot reads, and shows none of the others', async () => {
    const mega = plugIn('mega');
    expect((await connect(mega)).info).toMatchObject({
      fuses: { low: 0xff, high: 0xd8, extended: 0xfd, lock: 0x3f },
      bootloaderRange: { offset: 0x3_e000, length: 0x2000 },
    });
    for (const name of ['uno', 'oldNano'] as const) {
      expect((await connect(plugIn(name))).info.fuses).toBeNull();
    }
  });

  it.each(['uno', 'mega'] as const)('refuses a sketch that reaches the bootloader of %s', async (name) => {
    const rig = plugIn(name);
    const before = rig.flash();
    const board = await connect(rig);
    const { length = 0 } = board.info.application;
    const write = board.write([{ offset: length - 10, bytes: sketch(11) }]);
    await expect(rig.run(write)).rejects.toMatchObject({ code: 'reaches-bootloader', state: 'unchanged' });
    expectFlash(rig, before);
  });

  it.each(firstUnlessLong(['mega', 'uno', 'oldNano']))(
    'completes a write on %s after the cable was pulled',
    async (name) => {
      const regions = [{ offset: 0, bytes: sketch(3_000) }];
      const rig = plugIn(name, { wire: { toDevice: { unplugAfter: 2_000 } } });
      const before = rig.flash();
      const first = await connect(rig);
      await expect(rig.run(first.write(regions))).rejects.toMatchObject({ state: 'incomplete' });
      rig.replug();
      const second = await connect(rig);
      const report = await rig.run(second.write(regions));
      expect(report.state).toBe('complete');
      expectFlash(rig, withRegions(before, regions));
    },
  );

  // stk500boot begins again at page 0 after each fault, and its frames are twice as long.
  it.runIf(isLong).each([
    ['uno', 'drop', 0.0007],
    ['uno', 'flip', 0.0007],
    ['oldNano', 'drop', 0.0007],
    ['oldNano', 'flip', 0.0007],
    ['mega', 'drop', 0.0002],
    ['mega', 'flip', 0.0002],
  ] as const)('writes to %s over a wire with noise (%s %d), or says why not', async (name, kind, rate) => {
    const regions = [{ offset: 0, bytes: sketch(2_000) }];
    const outcomes: string[] = [];
    for (const wireSeed of [1, 2, 3]) {
      const rig = plugIn(name, { wire: { toDevice: { [kind]: rate }, toHost: { [kind]: rate } }, wireSeed });
      const before = rig.flash();
      const start = bootStartOf(rig);
      const outcome = await rig.run(writeOn(rig, regions));
      if (outcome === 'complete') {
        expectFlash(rig, withRegions(before, regions));
      } else {
        expect(outcome).toMatch(/^AvrError: /);
        expect(rig.flash().subarray(start)).toEqual(before.subarray(start));
      }
      outcomes.push(outcome);
      rig.end();
    }
    expect(outcomes).toContain('complete');
  });

  it('resets a board whose sketch floods the port', async () => {
    const rig = plugIn('uno', { before: floodingSketch });
    const before = rig.flash();
    await rig.run(rig.clock.sleep(500));
    const board = await connect(rig);
    const regions = [{ offset: 0, bytes: sketch(700) }];
    await rig.run(board.write(regions));
    expectFlash(rig, withRegions(before, regions));
  });

  it.each(
    firstUnlessLong([
      ['uno', 4_000],
      ['oldNano', 5_000],
      ['mega', 13_000],
    ]),
  )('keeps the bootloader of %s awake for %d ms', async (name, time) => {
    const rig = plugIn(name);
    const before = rig.flash();
    const board = await connect(rig);
    const { resets } = rig.device;
    await rig.run(rig.clock.sleep(time));
    const regions = [{ offset: 0, bytes: sketch(300) }];
    await rig.run(board.write(regions));
    expectFlash(rig, withRegions(before, regions));
    expect(rig.device.resets).toBe(resets);
  });

  it.each(
    firstUnlessLong([
      ['that is silent', sketch(4_096), 'no-answer'],
      ['that floods the port', floodingSketch, 'sketch-floods'],
    ]),
  )('reports a chip without a bootloader and with a sketch %s', async (_what, before, code) => {
    const rig = plugIn('bare', { before });
    const flash = rig.flash();
    await rig.run(rig.clock.sleep(500));
    await expect(connect(rig, { resetWindow: 0 })).rejects.toMatchObject({ code });
    expectFlash(rig, flash);
  });

  it.runIf(isLong)('erases all but the bootloader of an Uno', async () => {
    const rig = plugIn('uno');
    const start = bootStartOf(rig);
    const before = rig.flash();
    const board = await connect(rig);
    await rig.run(board.erase([{ offset: 0, length: start }]));
    expectFlash(rig, withRegions(before, [{ offset: 0, bytes: new Uint8Array(start).fill(0xff) }]));
  });
});

// Arduino's core has Caterina, Debian's does not.
describe.runIf(program !== '' && hasBootloader('leonardo'))('genuine Caterina in simavr', () => {
  it('writes, reads, keeps awake and starts a sketch on a Leonardo', async () => {
    const rig = plugIn('leonardo');
    const before = rig.flash();
    await rig.pressReset();
    const board = await connect(rig);
    expect(board.info).toMatchObject({
      bootloader: 'caterina',
      signature: '0x1E9587',
      fuses: { low: 0xff, high: 0xd8, extended: 0xcb, lock: 0x3f },
      bootloaderRange: { offset: 0x7000, length: 0x1000 },
    });
    await rig.run(rig.clock.sleep(10_000));
    const regions = [{ offset: 0, bytes: sketch(3_000) }];
    const eeprom = [{ offset: 5, bytes: sketch(40, 2) }];
    const report = await rig.run(board.write(regions, { eeprom }));
    expect(report.state).toBe('complete');
    const expected = withRegions(before, regions);
    expectFlash(rig, expected);
    expect(rig.eeprom()).toEqual(withRegions(new Uint8Array(1_024).fill(0xff), eeprom));
    expect(await rig.run(board.read({ offset: 2_900, length: 300 }))).toEqual(expected.slice(2_900, 3_200));
    await rig.run(board.restart());
    await rig.run(board.close());
    expectFlash(rig, expected);
    expect(rig.demo.port).toBeNull();
    rig.device.process.run(1_000);
    expect(rig.device.process.programCounter).toBe(LOOP);
  });

  it('fills the flash of a Leonardo up to its bootloader', async () => {
    const rig = plugIn('leonardo');
    const before = rig.flash();
    await rig.pressReset();
    const board = await connect(rig);
    const regions = [{ offset: 0, bytes: sketch(0x7000) }];
    await rig.run(board.write(regions));
    expectFlash(rig, withRegions(before, regions));
  });
});

/** Connects and writes; returns `complete`, or the error as text. */
async function writeOn(rig: GenuineRig, regions: readonly FlashRegion[]): Promise<string> {
  try {
    const board = await connectAvr(rig.port, { clock: rig.clock, resetWindow: 0 });
    const { state } = await board.write(regions);
    return state;
  } catch (error) {
    return String(error);
  }
}
