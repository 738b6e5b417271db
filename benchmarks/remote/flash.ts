/**
 * Boards of each family flashed directly and through a link with 40 ms of round trip, in virtual time. An ESP32
 * receives 1.5 MB. An STM32, and a Nordic board with each of the three bootloaders, receive 64 KiB.
 */
import { VirtualClock } from '@wirebench/clock';
import {
  createEspPort,
  createNrfPort,
  createStmPort,
  EspDevice,
  type EspDeviceOptions,
  type NrfBoardName,
  NrfDevice,
  nrfFirmware,
  StmDevice,
  type StmDeviceOptions,
} from '@wirebench/devices';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/esp';
import { connectNrf, readNrfFirmware } from '@wirebench/flasher/nrf';
import { connectStm, stmEntries, stmFlashStart } from '@wirebench/flasher/stm';
import { runOn } from '@wirebench/flasher/testing';
import { makeSecret, RemoteGuest, RemoteHost } from '@wirebench/remote';
import { nodeCrypto, TestRelay } from '@wirebench/remote/testing';
import { imageText, makeImage } from '../flashing/image.ts';
import { orShortest } from '../shortest.ts';

const ESP_OFFSET = 0x1_0000;
/** Bytes of the images for STM32 and Nordic boards. */
const SMALL_IMAGE = orShortest(65_536, 8_192);
const HALF_TRIP = 20;
/** Target shares of local speed. */
const ESP_TARGET = 0.8;
const TARGET = 0.7;

/** Returns the port to flash through: the board's own, or one at the other end of a link. */
type Reach = (clock: VirtualClock, local: SerialPort) => Promise<SerialPort>;

interface Scenario {
  readonly name: string;
  readonly target: number;
  /** Returns the milliseconds from the connected board to its last verification. */
  readonly write: (reach: Reach) => Promise<number>;
}

const esp = (flash: string, options: Partial<EspDeviceOptions>): Scenario => ({
  name: `ESP32, ${imageText} at 921,600 baud, ${flash}`,
  target: ESP_TARGET,
  write: (reach) => writeEsp(reach, options),
});

const stm = (name: string, baudRate: number, options: Partial<StmDeviceOptions> = {}): Scenario => ({
  name: `${name}, ${SMALL_IMAGE / 1_024} KiB at ${baudRate.toLocaleString('en')} baud`,
  target: TARGET,
  write: (reach) => writeStm(reach, baudRate, options),
});

const nrf = (name: string, board: NrfBoardName, isUsb = false): Scenario => ({
  name: `${name}, ${SMALL_IMAGE / 1_024} KiB ${isUsb ? 'over USB, real flash' : 'at 115,200 baud'}`,
  target: TARGET,
  write: (reach) => writeNrf(reach, board, isUsb ? 'real-flash' : 'instant-flash'),
});

const scenarios: readonly Scenario[] = [
  esp('instant flash', {}),
  esp('real flash', { profile: 'real-flash' }),
  stm('STM32', 115_200),
  stm('STM32', 460_800),
  stm('STM32 with checksum', 115_200, { part: 'stm32g071', checksum: true }),
  nrf('Secure DFU', 'nrf52832-secure'),
  nrf('Secure DFU', 'nrf52840-secure', true),
  nrf('MCUboot', 'nrf52840-mcuboot'),
  nrf('MCUboot', 'nrf52840-mcuboot-usb', true),
  nrf('Adafruit', 'feather-nrf52832'),
];

export async function flashRows(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const { name, target, write } of scenarios) {
    const local = await write(async (_, port) => port);
    const remote = await write(throughLink);
    const share = local / remote;
    rows.push([
      `${name}: through the link ${seconds(remote)}, local ${seconds(local)}`,
      `${share.toFixed(3)} of local speed`,
      `≥ ${target}`,
      share >= target ? 'reached' : 'MISSED',
    ]);
  }
  return rows;
}

/** Writes an ESP32. Timing starts when the stub runs at its final rate. */
async function writeEsp(reach: Reach, options: Partial<EspDeviceOptions>): Promise<number> {
  const clock = new VirtualClock(1_000_000);
  const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' }, ...options });
  const port = await reach(clock, plugged(createEspPort(device, { clock, pace: 'wire' }).port));
  const image = makeImage();
  const board = await runOn(clock, connectEsp(port, { clock, baudRate: 921_600 }));
  const report = await runOn(clock, board.write(splitIntoRegions(ESP_OFFSET, image)));
  mustHold(report.state === 'complete' && isSame(device.flash.read(ESP_OFFSET, image.length), image));
  return report.duration;
}

async function writeStm(reach: Reach, baudRate: number, options: Partial<StmDeviceOptions>): Promise<number> {
  const clock = new VirtualClock(1_000_000);
  const device = new StmDevice({ part: 'stm32f103', content: 'empty', ...options });
  const port = await reach(clock, plugged(createStmPort(device, { clock, pace: 'wire' }).port));
  const image = makeImage(1, SMALL_IMAGE);
  const board = await runOn(clock, connectStm(port, { clock, entry: stmEntries.usual, baudRate }));
  const report = await runOn(clock, board.write([{ offset: stmFlashStart, bytes: image }]));
  mustHold(report.state === 'complete' && isSame(device.readMemory(stmFlashStart, image.length), image));
  return report.duration;
}

async function writeNrf(reach: Reach, name: NrfBoardName, profile: 'instant-flash' | 'real-flash'): Promise<number> {
  const clock = new VirtualClock(1_000_000);
  const device = new NrfDevice({ board: name, powerUp: 'bootloader', profile });
  const demo = createNrfPort(device, { clock, pace: 'wire' });
  await clock.advance(100);
  const port = await reach(clock, plugged(demo.port));
  const made = nrfFirmware({ board: name, size: SMALL_IMAGE });
  const firmware = await readNrfFirmware(made.name, made.bytes);
  const board = await runOn(clock, connectNrf(port, { clock }));
  const report = await runOn(clock, board.write(firmware));
  // Over a UART nothing reports that Adafruit's bootloader has accepted the image.
  mustHold(report.state === 'complete' || board.info.bootloader === 'adafruit-dfu');
  return report.duration;
}

function plugged(port: SerialPort | null): SerialPort {
  if (port === null) {
    throw new Error('The board is not plugged in.');
  }
  return port;
}

function isSame(found: Uint8Array, wanted: Uint8Array): boolean {
  return Buffer.from(found).equals(wanted);
}

function mustHold(isWritten: boolean): void {
  if (!isWritten) {
    throw new Error('The flash does not contain the image.');
  }
}

async function throughLink(clock: VirtualClock, local: SerialPort): Promise<SerialPort> {
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
