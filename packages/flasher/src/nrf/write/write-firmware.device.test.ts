/** Whole writes to the simulated boards through each of the three bootloaders. */
import { type NrfBoardName, nrfFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig } from '../testing/nrf-rig.ts';

const SIZE = 40_960;

async function firmwareFor(board: NrfBoardName, options = {}) {
  const made = nrfFirmware({ board, size: SIZE, ...options });
  return { image: made.image, firmware: await readNrfFirmware(made.name, made.bytes) };
}

describe('a write', () => {
  it.each(['nrf52840-secure', 'nrf52832-secure'] as const)(
    'by secure DFU to %s is proven by its CRC and starts',
    async (name) => {
      const rig = new NrfRig({ board: name });
      const { image, firmware } = await firmwareFor(name);
      const board = await rig.connect();
      expect(board.info.bootloader).toBe('secure-dfu');
      const events: WriteEvent[] = [];
      const report = await rig.run(board.write(firmware, { onEvent: (event) => events.push(event) }));
      expect(report).toMatchObject({ state: 'complete', written: SIZE, same: 0, repeated: 0 });
      expect(report.regions).toMatchObject([
        { offset: 0, length: SIZE, outcome: 'verified', proof: { kind: 'crc32' } },
      ]);
      expect(events.at(0)).toEqual({ type: 'compared', same: 0, toWrite: SIZE });
      expect(events.some((event) => event.type === 'region')).toBe(true);
      await rig.clock.advance(2_000);
      expect(rig.device.state).toBe('running');
      expect(rig.holds(image)).toBe(true);
      // On its own USB the application takes the port with it.
      expect(board.over.aborted).toBe(name === 'nrf52840-secure');
      await board.close();
      expect(board.over.aborted).toBe(true);
    },
  );

  it.each(['feather-nrf52840', 'xiao-nrf52840'] as const)(
    "with Adafruit's bootloader to %s is proven by the port that comes back",
    async (name) => {
      const rig = new NrfRig({ board: name });
      const { image, firmware } = await firmwareFor(name);
      const board = await rig.connect();
      expect(board.info).toMatchObject({ bootloader: 'adafruit-dfu', link: 'usb' });
      const report = await rig.run(board.write(firmware));
      expect(report.regions).toMatchObject([{ outcome: 'verified', proof: { kind: 'crc16' } }]);
      await rig.clock.advance(500);
      expect(rig.device.state).toBe('running');
      expect(rig.holds(image)).toBe(true);
      await board.close();
    },
  );

  it("with Adafruit's bootloader over a UART is never proven", async () => {
    const rig = new NrfRig({ board: 'feather-nrf52832', powerUp: 'application' });
    const { image, firmware } = await firmwareFor('feather-nrf52832');
    const board = await rig.connect();
    const report = await rig.run(board.write(firmware));
    expect(report).toMatchObject({ state: 'unverified', regions: [{ outcome: 'unverified', proof: null }] });
    expect(rig.holds(image)).toBe(true);
    await board.close();
  });

  it.each(['nrf52840-mcuboot', 'nrf52840-mcuboot-usb'] as const)(
    'by MCUboot to %s is proven by the hash in its list',
    async (name) => {
      const rig = new NrfRig({ board: name });
      const { image, firmware } = await firmwareFor(name);
      const board = await rig.connect();
      expect(board.info.bootloader).toBe('mcuboot');
      const report = await rig.run(board.write(firmware));
      expect(report.regions).toMatchObject([
        { outcome: 'verified', proof: { kind: 'sha256', value: firmware.images[0]?.hash } },
      ]);
      expect(rig.holds(image)).toBe(true);
      expect(board.info.slots).toMatchObject([{ hash: firmware.images[0]?.hash }]);
      const again = await rig.run(board.write(firmware));
      expect(again).toMatchObject({ written: 0, same: image.length, regions: [{ outcome: 'same' }] });
      await rig.run(board.restart());
      await rig.clock.advance(3_000);
      expect(rig.device.state).toBe('running');
      await board.close();
    },
  );
});
