/**
 * Opens a USB device and claims its PICOBOOT interface. The class of the interface decides, not the vendor: a white-labelled
 * RP2350 has the ids of its maker.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import { isBulkDevice, type UsbConfiguration, type UsbDevice } from '../../usb-device.ts';
import { deadlines } from '../deadlines.ts';
import { RpError } from '../rp-failure.ts';
import { PicobootLink, type PicobootPlace } from './picoboot-link.ts';
import { settled } from './usb-limit.ts';

/** Class, subclass and protocol of the interface (RP2040 datasheet 2.8.5, RP2350 datasheet 5.6). */
const picoboot = { class: 0xff, subclass: 0x00, protocol: 0x00 } as const;

/**
 * Filters for the browser's device picker: the ids of the boot ROMs, and the class for a white-labelled RP2350 (RP2350 datasheet 5.7).
 */
export const rpUsbFilters = [
  { vendorId: 0x2e8a, productId: 0x0003 },
  { vendorId: 0x2e8a, productId: 0x000f },
  { classCode: picoboot.class, subclassCode: picoboot.subclass, protocolCode: picoboot.protocol },
] as const;

/** @throws RpError `usb-not-picoboot`, `usb-driver`, `port-gone`, `stopped-answering`; the device is closed then. */
export async function openPicoboot(
  clock: Clock,
  device: UsbDevice,
  gone: AbortSignal | undefined,
): Promise<PicobootLink> {
  const found = isBulkDevice(device) ? findPicoboot(device) : null;
  if (found === null || !isBulkDevice(device)) {
    throw new RpError('usb-not-picoboot');
  }
  const { configuration, place } = found;
  const step = (work: Promise<void>) => orDriver(settled(clock, deadlines.control, work));
  try {
    if (!device.opened) {
      await step(device.open());
    }
    if (device.configuration?.configurationValue !== configuration.configurationValue) {
      await step(device.selectConfiguration(configuration.configurationValue));
    }
    await step(device.claimInterface(place.interfaceNumber));
  } catch (error) {
    // Closing fails for a device that could not be opened.
    await settled(clock, deadlines.control, device.close()).catch(() => undefined);
    throw error;
  }
  return new PicobootLink(clock, device, place, gone);
}

/** Returns true for a device with the PICOBOOT interface. Nothing is sent to it. */
export const isInBootsel = (device: UsbDevice): boolean => findPicoboot(device) !== null;

function findPicoboot(device: UsbDevice): { configuration: UsbConfiguration; place: PicobootPlace } | null {
  for (const configuration of device.configurations) {
    for (const { interfaceNumber, alternates } of configuration.interfaces) {
      for (const alternate of alternates) {
        const { interfaceClass, interfaceSubclass, interfaceProtocol, endpoints = [] } = alternate;
        const isMeant =
          interfaceClass === picoboot.class &&
          interfaceSubclass === picoboot.subclass &&
          interfaceProtocol === picoboot.protocol;
        const bulk = (wanted: 'in' | 'out') =>
          endpoints.find(({ direction, type }) => direction === wanted && type === 'bulk')?.endpointNumber;
        const [into, out] = [bulk('in'), bulk('out')];
        if (isMeant && into !== undefined && out !== undefined) {
          return { configuration, place: { interfaceNumber, in: into, out } };
        }
      }
    }
  }
  return null;
}

/**
 * Converts errors of WebUSB (section "USBDevice Interface"): SecurityError if the system forbids access, NetworkError
 * if a driver holds the interface or, on Windows, if it has none.
 */
async function orDriver(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RpError) {
      throw error;
    }
    const code = errorName(error) === 'NotFoundError' ? 'port-gone' : 'usb-driver';
    throw new RpError(code, { cause: error, detail: error instanceof Error ? error.message : String(error) });
  }
}
