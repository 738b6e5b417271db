/** The ports of USB devices, and a registry of them that a page can use like `navigator.serial`. */
import { type Clock, systemClock } from '@wirebench/clock';
import { fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import { uartsOf, usbSerialFilters } from './recognition.ts';
import { SharedDevice } from './shared-device.ts';
import type { UsbBus, UsbDevice } from './usb-device.ts';
import { UsbSerialPort } from './usb-serial-port.ts';

export interface UsbSerialOptions {
  /** Reports devices that come and go. Default: `navigator.usb`. */
  readonly usb?: UsbBus | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The browser's own bus; undefined in a program without one. */
const browserUsb = (): UsbBus | undefined =>
  (globalThis as { readonly navigator?: { readonly usb?: UsbBus } }).navigator?.usb;

/** Ports by device. A device is one presence on the bus. */
const known = new WeakMap<UsbDevice, readonly UsbSerialPort[]>();
const watched = new WeakSet<UsbBus>();

const deviceOf = (event: Event): UsbDevice => (event as Event & { readonly device: UsbDevice }).device;

/** Ends the ports of devices that leave the bus. */
function watch(usb: UsbBus | undefined): void {
  if (usb !== undefined && !watched.has(usb)) {
    watched.add(usb);
    usb.addEventListener('disconnect', (event) => {
      for (const port of known.get(deviceOf(event)) ?? []) {
        port.disconnect();
      }
    });
  }
}

/**
 * Returns the serial ports of a USB device in the order of its interfaces: one, several on an adapter with several
 * UARTs, none on a device without. The same device gives the same ports.
 *
 * @param options Used on the first call for a device.
 */
export function portsOf(device: UsbDevice, options: UsbSerialOptions = {}): readonly UsbSerialPort[] {
  const { clock = systemClock, usb = browserUsb() } = options;
  watch(usb);
  const before = known.get(device);
  if (before !== undefined) {
    return before;
  }
  const shared = new SharedDevice(device, clock);
  const uarts = uartsOf(device);
  const ports = uarts.map((uart) => new UsbSerialPort(shared, uart, uarts.length, clock));
  known.set(device, ports);
  return ports;
}

/** A `Serial` of Web Serial (W3C, section 3) whose ports are on USB devices that this page may use. */
export class UsbSerial extends PortEventTarget implements Serial {
  readonly #usb: UsbBus;
  readonly #options: UsbSerialOptions;

  /** @throws NotSupportedError without WebUSB. */
  constructor(options: UsbSerialOptions = {}) {
    super();
    const { usb = browserUsb() } = options;
    if (usb === undefined) {
      throw new DOMException('This browser has no WebUSB.', 'NotSupportedError');
    }
    this.#usb = usb;
    this.#options = { ...options, usb };
    watch(usb);
    usb.addEventListener('connect', (event) => {
      for (const port of this.#portsOf(deviceOf(event))) {
        fireAt(port, this, 'connect');
      }
    });
  }

  /** Returns the ports of all devices that are plugged in and permitted. */
  async getPorts(): Promise<UsbSerialPort[]> {
    return (await this.#usb.getDevices()).flatMap((device) => this.#portsOf(device));
  }

  /**
   * Opens the browser's list of USB devices. Call it directly in a click or key handler.
   *
   * @param options Vendors to list; products are not told apart. Default: all that may have a serial port.
   * @returns The first port of the chosen device. `portsOf` has the others.
   * @throws NotFoundError if the list was closed without a choice.
   * @throws NotSupportedError if the chosen device has no serial port.
   */
  async requestPort({ filters = [] }: SerialPortRequestOptions = {}): Promise<UsbSerialPort> {
    const vendors = filters.flatMap(({ usbVendorId }) => (usbVendorId === undefined ? [] : { vendorId: usbVendorId }));
    const device = await this.#usb.requestDevice?.({ filters: vendors.length > 0 ? vendors : [...usbSerialFilters] });
    const [port] = device === undefined ? [] : this.#portsOf(device);
    if (port === undefined) {
      const reason = 'The chosen USB device has no serial port.';
      throw new DOMException(`Failed to execute 'requestPort' on 'Serial': ${reason}`, 'NotSupportedError');
    }
    return port;
  }

  #portsOf(device: UsbDevice): readonly UsbSerialPort[] {
    const ports = portsOf(device, this.#options);
    for (const port of ports) {
      port.registry = this;
    }
    return ports;
  }
}
