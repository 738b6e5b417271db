/** Flashes an ESP32 behind common adapters with the product's own flasher: 4 ms a transfer, in virtual time. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice } from '@wirebench/devices';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/esp';
import { runOn } from '@wirebench/flasher/testing';
import { randomBytes } from '@wirebench/test-input';
import { expect, it } from 'vitest';
import type { AdapterName } from './testing/adapters.ts';
import { WiredAdapter } from './testing/wired-adapter.ts';
import { portsOf } from './usb-serial.ts';

const offset = 0x1_0000;
/** Milliseconds of one transfer. */
const LATENCY = 4;
const SIZE = 1_500_000;
/** Share of the speed without delay. */
const LEAST_SPEED = 0.7;

async function flash(clock: VirtualClock, device: EspDevice, port: SerialPort, image: Uint8Array) {
  const board = await runOn(clock, connectEsp(port, { clock, baudRate: 921_600 }));
  const from = clock.now();
  const report = await runOn(clock, board.write(splitIntoRegions(offset, image)));
  const duration = clock.now() - from;
  expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
  expect(device.flash.read(offset, image.length)).toEqual(image);
  await runOn(clock, board.close());
  return duration;
}

it.each(['cp2102', 'ch340-v31', 'ft232r'] as const satisfies readonly AdapterName[])(
  'writes an ESP32 behind %s at 921,600 baud at 0.7 of the speed without delay, without a failed block',
  { timeout: 300_000 },
  async (name) => {
    // A third is random, so that it compresses like firmware.
    const noise = randomBytes(SIZE);
    const image = Uint8Array.from(noise, (byte, at) => (at % 64 < 40 ? byte : at % 64));
    const nearClock = new VirtualClock(1_000_000);
    const near = new EspDevice({ chip: 'esp32', flash: { content: 'empty' } });
    const { port: nearPort } = createEspPort(near, { clock: nearClock, pace: 'wire' });
    if (nearPort === null) {
      throw new Error('the board is plugged in');
    }
    const least = await flash(nearClock, near, nearPort, image);

    const clock = new VirtualClock(1_000_000);
    const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' } });
    const wired = new WiredAdapter({ clock, name, device, latency: () => LATENCY });
    const [port] = portsOf(wired.adapter.device, { clock });
    if (port === undefined) {
      throw new Error('the adapter has a port');
    }
    const duration = await flash(clock, device, port, image);
    expect(least / duration).toBeGreaterThanOrEqual(LEAST_SPEED);
  },
);
