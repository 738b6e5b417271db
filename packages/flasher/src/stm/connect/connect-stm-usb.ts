/** Connects to an STM32 over USB: opens the DFU interface, and identifies the part by the memories that it offers. */

import { isBlank } from '../../core/bytes.ts';
import { maximumTries } from '../../core/retry.ts';
import type { UsbDevice } from '../../usb-device.ts';
import { type Memory, type OpenedDevice, openDevice } from '../dfuse/open-device.ts';
import { usbFamilyOf } from '../dfuse/usb-family.ts';
import { UsbLoader } from '../dfuse/usb-loader.ts';
import type { StmFamilyName } from '../parts/families.ts';
import { describeOptions } from '../parts/read-options.ts';
import type { StmBoard, StmOptionBytes, StmUsbOptions } from '../stm-board.ts';
import { asStmError, StmError, type StmFailure } from '../stm-failure.ts';
import { retryOn } from '../write/stm-retry.ts';
import { ConnectedStm } from './connected-stm.ts';
import type { KnownBoard } from './identify.ts';

/** Bytes programmed at once by any STM32 at most (RM0433: 256 bits). Used because the part is unknown. */
const GRANULARITY = 32;

const never = new AbortController().signal;

/**
 * Opens `device` and identifies the part.
 *
 * @param device Selected with `stmUsbFilter`; not open yet.
 * @throws StmError; the device is closed then.
 */
export async function connectStmUsb(device: UsbDevice, options: StmUsbOptions): Promise<StmBoard> {
  const { clock, signal = never, gone, onStep } = options;
  try {
    onStep?.('opening');
    signal.throwIfAborted();
    const opened = await openDevice(clock, device, gone);
    try {
      onStep?.('identifying');
      const loader = new UsbLoader(opened.link, opened.transferSize);
      const board = await identifyUsb(device, opened, loader, signal);
      onStep?.('ready');
      return new ConnectedStm(loader, board);
    } catch (error) {
      await opened.link.close();
      throw error;
    }
  } catch (error) {
    throw asStmError(error, signal);
  }
}

async function identifyUsb(
  device: UsbDevice,
  { memories, interfaceNumber }: OpenedDevice,
  loader: UsbLoader,
  signal: AbortSignal,
): Promise<KnownBoard> {
  const flash = memories.find(({ sectors }) => sectors.some(({ erasable, writable }) => erasable && writable));
  if (flash === undefined) {
    throw new StmError('usb-not-dfu', { detail: memories.map(({ name }) => name).join(', ') });
  }
  const options = memories.find(({ name }) => /option/i.test(name));
  const { name, family, model, options: optionsOf, erasedValue } = usbFamilyOf(options?.sectors[0]?.offset ?? null);
  const select = (alternate: number) => device.selectAlternateInterface(interfaceNumber, alternate);
  await select(flash.alternate);
  const isProtected = !(await mayRead(loader, flash, signal));
  let optionBytes: StmOptionBytes | null = null;
  if (options !== undefined && optionsOf !== null && !isProtected) {
    await select(options.alternate);
    optionBytes = await readOptions(loader, options, optionsOf, signal);
    await select(flash.alternate);
  }
  const sectors = flash.sectors
    .filter(({ erasable, writable }) => erasable && writable)
    .map(({ offset, length }, code) => ({ code, offset, length }));
  return {
    info: {
      link: 'usb',
      productId: null,
      name,
      family,
      model,
      bootloaderVersion: releaseText(device),
      flashSize: sectors.reduce((sum, { length }) => sum + length, 0),
      sectors,
      erasedValue,
      protection: isProtected ? 'read-protected' : 'none',
      optionBytes,
      uniqueId: null,
    },
    sectors,
    granularity: GRANULARITY,
    // L0 and L1, whose erased flash is zero, have no such command.
    massErase: erasedValue === 0xff,
    startsByGo: false,
  };
}

/** Formats bcdDevice, with two digits before the point and two after it (USB 2.0, section 9.6.1). */
function releaseText({ deviceVersionMajor: major, deviceVersionMinor: minor, deviceVersionSubminor: sub }: UsbDevice) {
  return `${major.toString(16)}.${minor.toString(16)}${sub.toString(16)}`;
}

const refusals: ReadonlySet<StmFailure> = new Set<StmFailure>(['read-protected', 'refused', 'outside-flash']);

/**
 * Returns true if flash can be read. A protected part refuses every upload (AN3156 section 4.1). Only a repeated
 * refusal counts.
 */
async function mayRead(loader: UsbLoader, { sectors }: Memory, signal: AbortSignal): Promise<boolean> {
  const offset = sectors.find(({ readable }) => readable)?.offset ?? 0;
  for (let attempt = 0; attempt < maximumTries; attempt++) {
    if (await retryOn(loader, signal, () => orNull(loader.read(offset, 4, signal)))) {
      return true;
    }
  }
  return false;
}

/** Returns null if the bootloader refuses the read. */
async function orNull(reading: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StmError && refusals.has(error.code)) {
      return null;
    }
    throw error;
  }
}

async function readOptions(
  loader: UsbLoader,
  { sectors }: Memory,
  family: StmFamilyName,
  signal: AbortSignal,
): Promise<StmOptionBytes | null> {
  const [first] = sectors;
  if (first === undefined || !first.readable) {
    return null;
  }
  const range = { offset: first.offset, length: Math.min(first.length, loader.blockSize) };
  const bytes = await retryOn(loader, signal, () => orNull(loader.read(range.offset, range.length, signal)));
  return bytes === null || isBlank(bytes) ? null : describeOptions(family, range, bytes);
}
