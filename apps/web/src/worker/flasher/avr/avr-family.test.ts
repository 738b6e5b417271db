import { VirtualClock } from '@wirebench/clock';
import { avrFirmwareHex } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { DemoModel } from '../../../hardware/demo-device.ts';
import { type AvrSettings, avrSettings, EEPROM_START } from '../../../protocol/avr-types.ts';
import { askOn } from '../../../protocol/calls/testing/ask-on.ts';
import type { GivenFile, PlanRequest } from '../../../protocol/flash-protocol.ts';
import { PortDevices } from '../../bench/port-devices.ts';
import type { Line } from '../flash-lines.ts';
import { workerFamily } from '../worker-family.ts';
import { avrFamilyParts } from './avr-family.ts';

const signal = new AbortController().signal;
const quiet = { signal, onProgress: () => undefined };

/** Sets up the family with a demo board on a virtual clock. */
function bench() {
  const clock = new VirtualClock(1_000_000);
  const devices = new PortDevices(clock, () => undefined);
  const family = workerFamily(avrFamilyParts(), clock);
  const lines: Line[] = [];
  const regions: number[] = [];
  // Hashes are calculated on other threads. A bootloader would leave while virtual time runs ahead of them.
  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 20, pace: 'threads' });
  const carry = {
    signal,
    unseen: <Result>(act: () => Promise<Result>) => act(),
    onStage: () => undefined,
    onEvent: (event: { readonly type: string; readonly offset?: number }) => {
      if (event.type === 'region') {
        regions.push(event.offset ?? -1);
      }
    },
  };
  return {
    ask,
    carry,
    devices,
    family,
    lines,
    regions,
    async connect(model: DemoModel, settings = avrSettings) {
      const device = await ask(devices.take(1, { kind: 'demo', model }, 9_600));
      return ask(
        family.connect(
          { baudRate: 115_200, settings },
          {
            device,
            port: 1,
            isSame: false,
            isDemo: true,
            signal,
            returned: (wanted) => devices.returned(1, wanted, family.returnsAs),
            onStep: () => undefined,
            say: (line) => lines.push(line),
            onText: () => undefined,
          },
        ),
      );
    },
    async add(...given: GivenFile[]): Promise<PlanRequest<AvrSettings>> {
      const { files } = await ask(family.files.add(given));
      const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
      return { files: places, settings: avrSettings, guard: null, overrides: [] };
    },
  };
}

/** A sketch with other contents than the one on the board. */
const sketch: GivenFile = { name: 'Blink.ino.hex', content: new Blob([avrFirmwareHex({ size: 1_024, seed: 7 })]) };
const eeprom: GivenFile = { name: 'Blink.ino.eep', content: new Blob([':0400000001020304F2\n:00000001FF\n']) };

describe('Arduino boards behind the host', () => {
  it.each([
    ['arduino-uno', 'ATmega328P', 'uart', 115_200],
    ['arduino-nano', 'ATmega328P', 'uart', 57_600],
    ['arduino-mega', 'ATmega2560', 'uart', 115_200],
    ['arduino-leonardo', 'ATmega32U4', 'usb', null],
  ] as const)(
    '%s is known by its signature, planned, written, read back and started',
    async (model, part, link, rate) => {
      const { add, ask, carry, connect } = bench();
      const board = await connect(model);
      expect(board.facts).toMatchObject({ family: 'avr', name: part, baudRate: rate, id: null, info: { link } });
      expect(board.vanishes).toBe(link === 'usb');
      expect(board.facts.console).toEqual({
        lines: { dtr: true, rts: true },
        reset: link === 'usb' ? null : { dtr: false, rts: false },
      });
      const request = await add(sketch);
      expect(await board.plan(request, signal)).toMatchObject({ refusals: [], toWrite: 1_024 });
      const report = await ask(board.write(carry));
      // The vectors are those of the sketch on the board.
      expect(report).toMatchObject({ state: 'complete', written: 768, same: 256 });
      expect(report.regions).toMatchObject([{ offset: 0, outcome: 'verified', proof: { kind: 'read-back' } }]);
      await board.plan(request, signal);
      expect(await ask(board.write(carry))).toMatchObject({ written: 0, same: 1_024 });
      await ask(board.restart());
      await ask(board.close());
    },
  );

  it('say in the log if the bootloader is an old one, at 57,600 baud', async () => {
    const { ask, connect, lines } = bench();
    const board = await connect('arduino-nano');
    expect(board.facts.info.isOldBootloader).toBe(true);
    expect(lines.map(({ text }) => text).join()).toContain('old bootloader');
    await ask(board.close());
  });

  it('are asked at the chosen rate alone', async () => {
    const { connect } = bench();
    const fixed = { ...avrSettings, rate: 115_200 };
    await expect(connect('arduino-nano', fixed)).rejects.toMatchObject({ name: 'AvrError' });
  });

  it('write EEPROM behind the flash, read it back, and leave it alone if that is set', async () => {
    const { add, ask, carry, connect, regions } = bench();
    const board = await connect('arduino-mega');
    const request = await add(sketch, eeprom);
    const range = { offset: EEPROM_START, length: 4 };
    const without = await board.plan({ ...request, settings: { ...avrSettings, writesEeprom: false } }, signal);
    expect(without.regions.map(({ offset }) => offset)).toEqual([0]);
    const plan = await board.plan(request, signal);
    expect(plan.regions.map(({ offset }) => offset)).toEqual([0, EEPROM_START]);
    expect(board.placeName?.(EEPROM_START + 4)).toBe('EEPROM 0x4');
    const report = await ask(board.write(carry));
    expect(report.regions.map(({ offset }) => offset)).toEqual([0, EEPROM_START]);
    expect(regions).toEqual([0, EEPROM_START]);
    expect([...(await ask(board.read(range, quiet)))]).toEqual([1, 2, 3, 4]);
    await ask(board.close());
  });

  it('have nothing to write from a file with EEPROM data alone if EEPROM is left alone', async () => {
    const { add, ask, connect } = bench();
    const board = await connect('arduino-mega');
    const request = await add(eeprom);
    const { refusals } = await board.plan({ ...request, settings: { ...avrSettings, writesEeprom: false } }, signal);
    expect(refusals.map(({ code }) => code)).toEqual(['nothing-to-write']);
    await ask(board.close());
  });

  it('refuse EEPROM data on a bootloader that cannot write it', async () => {
    const { add, ask, connect } = bench();
    const board = await connect('arduino-uno');
    expect(board.facts.info.hasEeprom).toBe(false);
    const { refusals } = await board.plan(await add(sketch, eeprom), signal);
    expect(refusals.map(({ code }) => code)).toEqual(['eeprom-unsupported']);
    await ask(board.close());
  });

  it('take the build for any board with their chip, and refuse another chip until its code is typed', async () => {
    const { add, ask, connect } = bench();
    const board = await connect('arduino-uno');
    const request = await add(sketch);
    const refusedFor = async (model: string, overrides: readonly string[] = []) =>
      (await board.plan({ ...request, guard: { model, demo: false }, overrides }, signal)).refusals.map(
        ({ code }) => code,
      );
    expect(await refusedFor('uno')).toEqual([]);
    expect(await refusedFor('nano')).toEqual([]);
    expect(await refusedFor('atmega328')).toEqual([]);
    expect(await refusedFor('mega2560')).toEqual(['guard-model']);
    expect(await refusedFor('mega2560', ['guard-model'])).toEqual([]);
    await ask(board.close());
  });

  it('come back as the bootloader or sketch of a board with an ATmega32U4, and as nothing else', () => {
    const { returnsAs } = bench().family;
    const sketchPort = { usbVendorId: 0x2341, usbProductId: 0x8036 };
    expect(returnsAs?.(sketchPort, { usbVendorId: 0x2341, usbProductId: 0x0036 })).toBe(true);
    expect(returnsAs?.(sketchPort, { usbVendorId: 0x1b4f, usbProductId: 0x9206 })).toBe(true);
    expect(returnsAs?.(sketchPort, { usbVendorId: 0x10c4, usbProductId: 0xea60 })).toBe(false);
    expect(returnsAs?.({}, {})).toBe(false);
  });
});
