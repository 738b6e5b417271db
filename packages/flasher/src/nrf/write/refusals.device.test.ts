/** Refusals of the simulated boards, and resuming after interrupted writes. */
import { type NrfBoardName, nrfFirmware, secureDfuPackage, signingKey } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { noise } from '../../testing/program.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig, type NrfRigOptions } from '../testing/nrf-rig.ts';
import { securePackage } from '../testing/packages.ts';

const SIZE = 40_960;
const otherKey = signingKey('another key');

async function firmwareFor(board: NrfBoardName, options = {}) {
  const made = nrfFirmware({ board, size: SIZE, ...options });
  return readNrfFirmware(made.name, made.bytes);
}

async function refusal(options: NrfRigOptions, firmware = {}) {
  const rig = new NrfRig(options);
  const board = await rig.connect();
  const made = await firmwareFor(options.board, firmware);
  return rig.run(board.write(made)).then(
    () => 'written',
    (error: unknown) => error,
  );
}

describe('a bootloader with an unusable size', () => {
  const secure = 'nrf52832-secure';
  const boards: readonly (readonly [string, NrfRigOptions])[] = [
    ...[0, 1, 3].map(
      (size) => [`objects of ${size} bytes`, { board: secure, secure: { reportedObjectSize: size } }] as const,
    ),
    ...[0, 1, 10].map((size) => [`an MTU of ${size} bytes`, { board: secure, secure: { reportedMtu: size } }] as const),
    ...[0, 4, 100].map(
      (size) =>
        [`a buffer of ${size} bytes`, { board: 'nrf52840-mcuboot', mcuboot: { toldBufferSize: size } }] as const,
    ),
  ];

  it.each(boards)('is refused before anything is changed: %s', async (_, options) => {
    const rig = new NrfRig(options);
    await expect(rig.connect()).rejects.toMatchObject({
      name: 'NrfError',
      code: 'size-unusable',
      state: 'unchanged',
    });
  });

  it('is used with the smallest sizes that work', async () => {
    const rig = new NrfRig({ board: secure, secure: { reportedMtu: 11 } });
    const client = await rig.connect();
    const firmware = await firmwareFor(secure, { size: 4_096 });
    expect((await rig.run(client.write(firmware))).state).toBe('complete');
  });
});

describe('secure DFU', () => {
  const board = 'nrf52832-secure';

  it.each([
    ['wrong-key', { board }, { key: otherKey }],
    ['signature-missing', { board }, { key: null }],
    ['wrong-hardware', { board }, { hardwareVersion: 51 }],
    ['version-too-low', { board, secure: { applicationVersion: 5 } }, { version: 4 }],
    ['wrong-softdevice', { board, secure: { softDevice: 0x100 } }, { softDevices: [0x101] }],
    ['no-room', { board }, { size: 0x80000 }],
  ] as const)('leaves the board as it was when it refuses with %s', async (code, options, firmware) => {
    expect(await refusal(options, firmware)).toMatchObject({ name: 'NrfError', code, state: 'unchanged' });
  });

  it('lists the places of bootloader, SoftDevice and application', async () => {
    const rig = new NrfRig({ board, secure: { softDevice: 0x100, applicationVersion: 7 } });
    const { info } = await rig.connect();
    expect(info.part).toBe('nRF52832');
    expect(info.slots.map(({ name, version }) => [name, version])).toEqual([
      ['bootloader', '1'],
      ['softdevice', expect.any(String)],
      ['application', '7'],
    ]);
    expect(info.room).toBeGreaterThan(0x20000);
  });

  it('continues with the rest after a cancel, on the same board and on one connected again', async () => {
    const rig = new NrfRig({ board });
    const firmware = await firmwareFor(board);
    for (const again of [false, true]) {
      const client = await rig.connect();
      const cancel = new AbortController();
      const onEvent = (event: WriteEvent) => {
        if (event.type === 'progress' && event.done > 20_000) {
          cancel.abort();
        }
      };
      const writing = rig.run(client.write(firmware, { signal: cancel.signal, onEvent }));
      await expect(writing).rejects.toMatchObject({ code: 'cancelled', state: 'incomplete' });
      let next = client;
      if (again) {
        await client.close();
        next = await rig.connect();
        expect(next.info.unfinished?.offset).toBeGreaterThan(16_384);
      }
      const report = await rig.run(next.write(firmware));
      expect(report.state).toBe('complete');
      expect(report.same).toBeGreaterThanOrEqual(16_384);
      expect(report.same + report.written).toBe(SIZE);
      await next.close();
      await rig.clock.advance(2_000);
      expect(rig.device.state).toBe('running');
      rig.device.pressReset('with-boot-button');
      await rig.clock.advance(500);
    }
  });

  it('starts over with another package after an interrupted one', async () => {
    const rig = new NrfRig({ board });
    const client = await rig.connect();
    const cancel = new AbortController();
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress' && event.done > 20_000) {
        cancel.abort();
      }
    };
    const first = rig.run(client.write(await firmwareFor(board), { signal: cancel.signal, onEvent }));
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    const report = await rig.run(client.write(await firmwareFor(board, { seed: 9, version: 3 })));
    expect(report).toMatchObject({ state: 'complete', same: 0, written: SIZE });
  });

  it('writes SoftDevice, bootloader and application with the restarts between them, over USB and a UART', async () => {
    for (const name of ['nrf52840-secure', 'nrf52832-secure'] as const) {
      const rig = new NrfRig({ board: name, secure: { softDevice: 0x100 } });
      const application = nrfFirmware({ board: name, size: SIZE }).image;
      const bytes = secureDfuPackage(
        [
          { kind: 'bootloader', image: noise(8_192, 5) },
          { kind: 'application', image: application },
        ],
        { fwVersion: 2, sdReq: [0x100] },
      );
      const client = await rig.connect();
      const report = await rig.run(client.write(await readNrfFirmware('all.zip', bytes)));
      expect(report.regions.map(({ outcome, length }) => [outcome, length])).toEqual([
        ['verified', 8_192],
        ['verified', SIZE],
      ]);
      await rig.clock.advance(3_000);
      expect(rig.device.state).toBe('running');
    }
  });

  it('reports a board that comes back between two images on a port without permission', async () => {
    const rig = new NrfRig({ board: 'nrf52840-secure', withoutReturn: true, secure: { softDevice: 0x100 } });
    const bytes = secureDfuPackage(
      [
        { kind: 'bootloader', image: noise(8_192, 5) },
        { kind: 'application', image: nrfFirmware({ board: 'nrf52840-secure', size: SIZE }).image },
      ],
      { fwVersion: 2, sdReq: [0x100] },
    );
    const client = await rig.connect();
    const writing = rig.run(client.write(await readNrfFirmware('all.zip', bytes)));
    await expect(writing).rejects.toMatchObject({ code: 'came-back-different', state: 'incomplete' });
  });

  it('starts the application when nothing is written', async () => {
    const rig = new NrfRig({ board });
    const client = await rig.connect();
    await rig.run(client.restart());
    await rig.clock.advance(2_000);
    expect(rig.device.state).toBe('running');
    await expect(client.restart()).rejects.toMatchObject({ name: 'InvalidStateError' });
  });
});

describe("Adafruit's bootloader", () => {
  it('is entered by a touch from the application, and by DTR over a bridge', async () => {
    for (const board of ['xiao-nrf52840', 'feather-nrf52832'] as const) {
      const rig = new NrfRig({ board, powerUp: 'application' });
      const client = await rig.connect();
      expect(client.info.bootloader).toBe('adafruit-dfu');
      // Opening a bridge's port raises DTR, which resets the board already.
      expect(rig.steps.includes('touching')).toBe(board === 'xiao-nrf52840');
    }
  });

  it('is brought back before a write if it has gone to the application', async () => {
    const rig = new NrfRig({ board: 'feather-nrf52832', powerUp: 'application' });
    const client = await rig.connect();
    rig.device.pressReset();
    await rig.clock.advance(5_000);
    expect(rig.device.state).toBe('running');
    expect((await rig.run(client.write(await firmwareFor('feather-nrf52832')))).state).toBe('unverified');
  });

  it('starts over after an interrupted write', async () => {
    for (const board of ['xiao-nrf52840', 'feather-nrf52832'] as const) {
      const rig = new NrfRig({ board });
      const client = await rig.connect();
      const cancel = new AbortController();
      const onEvent = (event: WriteEvent) => {
        if (event.type === 'progress' && event.done > 20_000) {
          cancel.abort();
        }
      };
      const firmware = await firmwareFor(board);
      const writing = rig.run(client.write(firmware, { signal: cancel.signal, onEvent }));
      await expect(writing).rejects.toMatchObject({ code: 'cancelled', state: 'incomplete' });
      const report = await rig.run(client.write(firmware));
      expect(report).toMatchObject({ written: SIZE, same: 0 });
      await rig.clock.advance(3_000);
      expect(rig.device.state).toBe('running');
    }
  });

  it('is not taken for the application when it comes back as itself, with or without its drive', async () => {
    const rig = new NrfRig({
      board: 'feather-nrf52840',
      powerUp: 'application',
      faults: [{ at: 'stop', kind: 'error-answer' }],
    });
    const client = await rig.connect();
    expect(rig.port.getInfo().usbProductId).toBe(0x002a);
    const outcome = await rig
      .run(client.write(await firmwareFor('feather-nrf52840')))
      .then(({ state }) => state)
      .catch(({ code }: { code: string }) => code);
    expect(rig.port.getInfo().usbProductId).toBe(0x0029);
    expect(['unverified', 'image-not-accepted']).toContain(outcome);
  });

  it('cannot start the application over USB', async () => {
    const rig = new NrfRig({ board: 'xiao-nrf52840' });
    const client = await rig.connect();
    await expect(rig.run(client.restart())).rejects.toMatchObject({ code: 'cannot-restart' });
  });
});

describe('MCUboot', () => {
  const board = 'nrf52840-mcuboot';

  it('does not list an image with a key that it does not trust', async () => {
    expect(await refusal({ board }, { key: otherKey })).toMatchObject({
      code: 'image-not-accepted',
      state: 'incomplete',
    });
  });

  it('refuses an image larger than a slot before anything is erased', async () => {
    const before = new NrfRig({ board });
    const image = before.flash(0, 0x8_0000);
    const client = await before.connect();
    const large = await firmwareFor(board, { size: 0x8_0000 });
    await expect(before.run(client.write(large))).rejects.toMatchObject({ code: 'no-room' });
    expect(before.flash(0, 0x8_0000)).toEqual(image);
  });

  it('marks an image already in the second slot, for a test or permanently, without a write', async () => {
    for (const activate of ['test', 'confirm'] as const) {
      const made = nrfFirmware({ board, size: SIZE, version: 3 });
      const rig = new NrfRig({ board, mcuboot: { secondSlot: made.image } });
      const client = await rig.connect();
      expect(client.info.canTest).toBe(true);
      const firmware = await readNrfFirmware(made.name, made.bytes);
      const report = await rig.run(client.write(firmware, { activate }));
      expect(report).toMatchObject({ state: 'complete', written: 0, same: made.image.length });
      expect(report.sent).toBeLessThan(2_000);
      const slot = client.info.slots.find(({ name }) => name === 'slot 1');
      expect(slot?.state.includes('pending')).toBe(true);
      expect(slot?.state.includes('permanent')).toBe(activate === 'confirm');
      await rig.run(client.restart());
      await rig.clock.advance(5_000);
      expect(rig.device.state).toBe('running');
    }
  });

  it('works with builds without echo, parameters and states', async () => {
    const rig = new NrfRig({ board, mcuboot: { echo: false, params: false, receiveSize: 512 } });
    const client = await rig.connect();
    expect((await rig.run(client.write(await firmwareFor(board)))).state).toBe('complete');
    const bare = new NrfRig({ board, mcuboot: { imageState: false } });
    const other = await bare.connect();
    expect(other.info.canTest).toBe(false);
    expect((await bare.run(other.write(await firmwareFor(board)))).state).toBe('unverified');
  });
});

describe('a package', () => {
  it('is refused before anything is sent if it is for another bootloader', async () => {
    const rig = new NrfRig({ board: 'nrf52840-mcuboot' });
    const client = await rig.connect();
    const firmware = await readNrfFirmware('a.zip', securePackage(noise(400)));
    await expect(rig.run(client.write(firmware))).rejects.toMatchObject({
      code: 'wrong-bootloader',
      state: 'unchanged',
    });
  });

  it('is written by one call at a time', async () => {
    const rig = new NrfRig({ board: 'nrf52840-mcuboot' });
    const client = await rig.connect();
    const firmware = await firmwareFor('nrf52840-mcuboot');
    const writing = client.write(firmware);
    await expect(client.write(firmware)).rejects.toMatchObject({ name: 'InvalidStateError' });
    await rig.run(writing);
  });
});
