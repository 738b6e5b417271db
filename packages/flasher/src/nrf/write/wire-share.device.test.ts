/**
 * Duration of a write in virtual time, independent of the machine's speed. It consists of the wire in both
 * directions, because these protocols wait for answers, of Adafruit's waiting times, and of the client.
 * `benchmarks/flashing` measures the same in real time.
 */
import { type NrfBoardName, nrfFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { activateTime, eraseTime, pageSize, pageWrite } from '../legacy/legacy-timing.ts';
import { readNrfFirmware } from '../package/read-firmware.ts';
import { NrfRig } from '../testing/nrf-rig.ts';

const SIZE = 131_072;
/** Bytes per millisecond at 115,200 baud and over the simulated USB. */
const UART = 11.52;
const USB = 1_000;

async function write(board: NrfBoardName) {
  const rig = new NrfRig({ board });
  const made = nrfFirmware({ board, size: SIZE });
  const client = await rig.connect();
  const received = rig.demo.transmitted;
  const { sent, duration } = await rig.run(client.write(await readNrfFirmware(made.name, made.bytes)));
  return { bytes: sent + rig.demo.transmitted - received, duration };
}

describe('the time of a write', () => {
  it.each([
    ['secure DFU over a UART', 'nrf52832-secure', UART],
    ['secure DFU over USB', 'nrf52840-secure', USB],
    ['MCUboot over a UART', 'nrf52840-mcuboot', UART],
    ['MCUboot over USB', 'nrf52840-mcuboot-usb', USB],
  ] as const)('is that of the wire: %s', async (_name, board, rate) => {
    const { bytes, duration } = await write(board);
    expect(bytes / rate / duration).toBeGreaterThanOrEqual(0.9);
  });

  it("is that of the wire and of the waits that Adafruit's bootloader wants, over a UART", async () => {
    const { bytes, duration } = await write('feather-nrf52832');
    // Waits between pages, after the last one, and until the application must have started.
    const waits = eraseTime(SIZE) + (SIZE / pageSize) * pageWrite + activateTime(SIZE, true) + 1_300;
    expect((bytes / UART + waits) / duration).toBeGreaterThanOrEqual(0.9);
  });

  it('is that of the first erase over USB, where the acknowledgements alone set the pace', async () => {
    const { bytes, duration } = await write('feather-nrf52840');
    // The last page, and 300 ms until the simulated board has the application's port.
    const waits = eraseTime(SIZE) + pageWrite + 300;
    expect((bytes / USB + waits) / duration).toBeGreaterThanOrEqual(0.9);
  });
});
