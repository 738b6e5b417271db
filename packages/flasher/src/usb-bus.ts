/** The USB devices of a bus: that of a browser, or a simulated one. */
import type { Clock } from '@wirebench/clock';
import type { UsbDevice, UsbDevices } from './usb-device.ts';

/** The used part of `navigator.usb`. A simulated bus implements it too. */
export interface UsbBus {
  getDevices(): Promise<UsbDevice[]>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
}

/** Returns a signal that aborts when `device` is unplugged. */
export function usbGone(bus: UsbBus, device: UsbDevice): AbortSignal {
  const gone = new AbortController();
  const look = (event: Event) => {
    if ('device' in event && event.device === device) {
      bus.removeEventListener('disconnect', look);
      gone.abort();
    }
  };
  // `{ once: true }` would be wrong: the event fires for every device.
  bus.addEventListener('disconnect', look);
  return gone.signal;
}

/** Time between two looks at the list while a board is awaited, in milliseconds. A permission fires no event. */
const PERMISSION_POLL = 500;

/** Returns the devices of a bus, for a family that looks for its board among them. */
export function devicesOn(bus: UsbBus, clock: Clock): UsbDevices {
  return {
    list: () => bus.getDevices(),
    changed: (signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          cancel();
          bus.removeEventListener('connect', changed);
          bus.removeEventListener('disconnect', changed);
          signal.removeEventListener('abort', abandoned);
        };
        const changed = () => {
          end();
          resolve();
        };
        const abandoned = () => {
          end();
          reject(signal.reason);
        };
        const cancel = clock.schedule(PERMISSION_POLL, changed);
        bus.addEventListener('connect', changed);
        bus.addEventListener('disconnect', changed);
        signal.addEventListener('abort', abandoned);
        if (signal.aborted) {
          abandoned();
        }
      }),
    gone: (device) => usbGone(bus, device),
  };
}
