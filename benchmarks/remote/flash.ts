/** 1.5 MB into a simulated ESP32 at 921,600 baud, beside the flasher and through a link with 40 ms of round trip: in virtual time. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/espressif';
import { runOn } from '@wirebench/flasher/testing';
import { makeSecret, RemoteGuest, RemoteHost } from '@wirebench/remote';
import { nodeCrypto, TestRelay } from '@wirebench/remote/testing';
import { makeImage } from '../flashing/image.ts';

const OFFSET = 0x1_0000;
const HALF_TRIP = 20;
const TARGET = 0.8;

const profiles = [
  ['instant flash', {}],
  ['real flash', { profile: 'real-flash' }],
] as const satisfies readonly (readonly [string, Partial<EspDeviceOptions>])[];

export async function flashRows(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, options] of profiles) {
    const local = await write(options, false);
    const remote = await write(options, true);
    const share = local / remote;
    rows.push([
      `1.5 MB at 921,600 baud, ${name}: through the link ${seconds(remote)}, local ${seconds(local)}`,
      `${share.toFixed(3)} of local speed`,
      `≥ ${TARGET}`,
      share >= TARGET ? 'reached' : 'MISSED',
    ]);
  }
  return rows;
}

/** Milliseconds from the stub at its final rate to the last hash. */
async function write(options: Partial<EspDeviceOptions>, isRemote: boolean): Promise<number> {
  const clock = new VirtualClock(1_000_000);
  const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' }, ...options });
  const { port: local } = createEspPort(device, { clock, pace: 'wire' });
  if (local === null) {
    throw new Error('The device is plugged in.');
  }
  const port = isRemote ? await remotePort(clock, local) : local;
  const image = makeImage();
  const board = await runOn(clock, connectEsp(port, { clock, baudRate: 921_600 }));
  const report = await runOn(clock, board.write(splitIntoRegions(OFFSET, image)));
  if (report.state !== 'complete' || !Buffer.from(device.flash.read(OFFSET, image.length)).equals(image)) {
    throw new Error('The flash does not contain the image.');
  }
  return report.duration;
}

async function remotePort(clock: VirtualClock, local: SerialPort): Promise<SerialPort> {
  const relay = new TestRelay({ clock, delay: () => HALF_TRIP });
  relay.keeps = false;
  const secret = makeSecret(nodeCrypto(1));
  const options = { clock, secret, onChange: () => undefined };
  const host = new RemoteHost({
    ...options,
    crypto: nodeCrypto(2),
    dial: relay.dialHost,
    name: 'host',
    bench: {
      acquire: async () => local,
      release: () => undefined,
      type: async () => undefined,
      passed: () => undefined,
    },
  });
  host.setPort(1, { name: 'Board', info: local.getInfo(), present: true, settings: null });
  const guest = new RemoteGuest({
    ...options,
    crypto: nodeCrypto(3),
    dial: relay.dialGuest,
    name: 'guest',
    onPiece: () => undefined,
    onMissing: () => undefined,
  });
  await clock.advance(1_000);
  host.setRight(host.status.guests[0]?.id ?? '', 1, 'use');
  await clock.advance(1_000);
  const port = guest.serial.portAt(1);
  if (port === null) {
    throw new Error('The guest may use the port.');
  }
  return port;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}
