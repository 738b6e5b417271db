/** Connects to a board in BOOTSEL over USB: opens PICOBOOT, and identifies the chip by what the ROM answers. */
import type { Clock } from '@wirebench/clock';
import { hexOf, isSame } from '../../core/bytes.ts';
import { readAgreed } from '../../core/retry.ts';
import type { UsbDevice } from '../../usb-device.ts';
import { deadlines, readLimit } from '../deadlines.ts';
import type { RpChip } from '../files/index.ts';
import { getSystemInfo, parseSystemInfo, readMemory, type SystemInfo } from '../picoboot/commands.ts';
import { FlashMemory } from '../picoboot/flash-memory.ts';
import { findFlashSize } from '../picoboot/flash-size.ts';
import { openPicoboot } from '../picoboot/open-picoboot.ts';
import type { PicobootLink } from '../picoboot/picoboot-link.ts';
import type { RpBoard, RpConnectStep, RpInfo } from '../rp-board.ts';
import { asRpError, RpError } from '../rp-failure.ts';
import { retryOn } from '../write/write-regions.ts';
import { boardPartitions, mayRead } from './board-partitions.ts';
import { ConnectedRp } from './connected-rp.ts';
import { findUsers } from './find-users.ts';

export interface RpUsbOptions {
  readonly clock: Clock;
  /** Aborting ends the connection; it rejects with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Aborts when the system reports that the device was unplugged. */
  readonly gone?: AbortSignal;
  /** Unique id of the expected board. Another one is refused with `other-board`; an RP2040, which has none, is accepted. */
  readonly expectedUniqueId?: string;
  readonly onStep?: (step: RpConnectStep) => void;
}

/** Ids of the RP2040's boot ROM (RP2040 datasheet 2.8.4). */
const RASPBERRY_PI = 0x2e8a;
const RP2040_PRODUCT = 0x0003;

const never = new AbortController().signal;

/**
 * Opens `device` and identifies the board.
 *
 * @throws RpError; the device is closed then.
 */
export async function connectRpUsb(device: UsbDevice, options: RpUsbOptions): Promise<RpBoard> {
  const { clock, signal = never, gone, onStep } = options;
  try {
    signal.throwIfAborted();
    onStep?.('opening');
    const link = await openPicoboot(clock, device, gone);
    try {
      onStep?.('identifying');
      const memory = new FlashMemory(link);
      const info = await identify(device, memory, signal);
      const { expectedUniqueId: expected } = options;
      if (expected !== undefined && info.uniqueId !== null && info.uniqueId !== expected) {
        throw new RpError('other-board', { detail: `${info.uniqueId} instead of ${expected}.` });
      }
      onStep?.('ready');
      return new ConnectedRp(memory, info);
    } catch (error) {
      await link.close();
      throw link.over.aborted && !(error instanceof RpError) && !signal.aborted ? link.over.reason : error;
    }
  } catch (error) {
    throw asRpError(error, signal);
  }
}

async function identify(device: UsbDevice, memory: FlashMemory, signal: AbortSignal): Promise<RpInfo> {
  const { link } = memory;
  // An earlier page may have left a command half done.
  await link.prepare().catch((error: unknown) => (error instanceof RpError ? link.recover() : Promise.reject(error)));
  // An RP2040 keeps its ids. An RP2350 may have others, but alone answers GET_INFO.
  const isOld = device.vendorId === RASPBERRY_PI && device.productId === RP2040_PRODUCT;
  const system = isOld ? null : await mayRead(memory, () => systemOf(link), signal);
  const rom = await retryOn(memory, signal, () => romOf(link));
  const chip = system !== null ? 'RP2350' : rom.chip;
  if (chip === null) {
    throw new RpError('unknown-chip', { detail: `The ROM begins with ${hexOf(rom.start)}.` });
  }
  const romVersion = rom.chip === chip ? rom.version : null;
  memory.size = await mayRead(memory, () => findFlashSize(memory, signal), signal);
  const cpu = chip === 'RP2040' ? 'arm' : (system?.cpu ?? null);
  const secureBoot = system?.secureBoot ?? null;
  const partitions = system === null ? null : await boardPartitions(memory, { cpu, secureBoot }, signal);
  const users = memory.size === null ? [] : ((await mayRead(memory, () => findUsers(memory, signal), signal)) ?? []);
  return {
    link: 'usb',
    chip,
    revision: romVersion === null ? null : (revisions[chip][romVersion] ?? null),
    romVersion,
    flashSize: memory.size,
    uniqueId: system?.id ?? null,
    cpu,
    secureBoot,
    partitions,
    users,
  };
}

/** Version in the ROM → revision of the chip (RP2040 datasheet 2.8.3, RP2350 datasheet 5.4; picotool's table). */
const revisions: Readonly<Record<RpChip, Readonly<Record<number, string>>>> = {
  RP2040: { 1: 'B0', 2: 'B1', 3: 'B2' },
  RP2350: { 2: 'A2', 3: 'A3', 4: 'A4' },
};

/** `Mu`, then 1 for an RP2040 and 2 for an RP2350, then the version (RP2040 datasheet 2.8.3, RP2350 datasheet 5.4.1). */
const MAGIC_AT = 0x10;
const magic = Uint8Array.of(0x4d, 0x75);
const chips: Readonly<Record<number, RpChip>> = { 1: 'RP2040', 2: 'RP2350' };

/** Reads the start of the ROM. `chip` is null for another one. */
async function romOf(link: PicobootLink) {
  const agreed = await readAgreed(() => link.run(readMemory(MAGIC_AT, 4), readLimit(4)), isSame);
  const start = agreed?.reading ?? new Uint8Array(4);
  const chip = isSame(start.subarray(0, 2), magic) ? (chips[start[2] ?? 0] ?? null) : null;
  return { start, chip, version: start[3] ?? 0 };
}

const systemOf = async (link: PicobootLink): Promise<SystemInfo | null> =>
  parseSystemInfo(await link.run(getSystemInfo, deadlines.command));
