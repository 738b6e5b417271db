/** The genuine ROM as a `USBDevice` on a virtual clock: the emulator follows the clock, so that any client can be run against it. */
import type { Clock } from '@wirebench/clock';
import { SimulatedUsbDevice } from '../../../usb/usb-device.ts';
import { bootUsbPart } from '../../usb/boot-usb-part.ts';
import { FullSpeedHost, type UsbTarget } from '../../usb/full-speed-host.ts';
import type { GenuineRom } from './genuine-rom.ts';

/** Milliseconds between two looks of a host that waits. */
const interval = 0.05;

/** Boots the ROM, enumerates it and returns its device. */
export async function genuineUsbDevice(rom: GenuineRom, clock: Clock): Promise<SimulatedUsbDevice> {
  rom.advance(6);
  const target = follow(rom, clock);
  const host = new FullSpeedHost(target, { clock, pace: 'none', slack: 0 });
  await host.control({ type: 0, request: 5, value: 1, index: 0, length: 0 });
  await host.configure();
  const facts = {
    vendorId: 0x2e8a,
    productId: 0x0003,
    usbVersion: 0x0110,
    deviceVersion: 0x0100,
    maxPower: 0xfa,
    manufacturer: 'Raspberry Pi',
    product: 'RP2 Boot',
    serialNumber: '',
  };
  return new SimulatedUsbDevice(bootUsbPart({ facts, host, isHeld: () => false, forget: () => undefined }));
}

function follow(rom: GenuineRom, clock: Clock): UsbTarget {
  const ahead = rom.now - clock.now();
  const catchUp = () => rom.advance(Math.max(0, clock.now() + ahead - rom.now));
  /** Gives the ROM the time of a packet: it handles one before the next. */
  const packet = <T>(transaction: () => T): T => {
    catchUp();
    const result = transaction();
    rom.advance(interval);
    return result;
  };
  return {
    out: (endpoint, data, toggle) => packet(() => rom.out(endpoint, data, toggle)),
    in: (endpoint) => packet(() => rom.in(endpoint)),
    control: (setup) => packet(() => rom.control(setup)),
    busReset: () => packet(() => rom.busReset()),
    isReady: (endpoint) => {
      catchUp();
      return rom.isReady(endpoint);
    },
    onChange: (listener) => {
      let cancel = clock.schedule(interval, tick);
      function tick() {
        cancel = clock.schedule(interval, tick);
        listener();
      }
      return () => cancel();
    },
  };
}
