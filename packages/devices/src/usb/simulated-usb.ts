/** A `USB` of WebUSB: the devices that a page may use, and the chooser. Replaces `navigator.usb`. */
import type { SimulatedUsbDevice } from './usb-device.ts';
import { type UsbFilter, usbError } from './web-usb.ts';

/** The `connect` and `disconnect` events of a `USB`. */
class UsbConnectionEvent extends Event {
  readonly device: SimulatedUsbDevice;

  constructor(type: 'connect' | 'disconnect', device: SimulatedUsbDevice) {
    super(type);
    this.device = device;
  }
}

export type UsbConnectionHandler = ((event: UsbConnectionEvent) => void) | null;

/** The user's answer in the chooser: one of the devices, or null to cancel. */
export type ChooseUsb = (devices: readonly SimulatedUsbDevice[]) => SimulatedUsbDevice | null;

/** A place on the bus: its present device, and the page's permission for it. */
export interface UsbSocket {
  readonly device: SimulatedUsbDevice | null;
  permitted: boolean;
}

export class SimulatedUsb extends EventTarget {
  onconnect: UsbConnectionHandler = null;
  ondisconnect: UsbConnectionHandler = null;
  readonly #sockets: UsbSocket[] = [];
  readonly #choose: ChooseUsb;

  /** @param choose Answers the chooser. Default: the first device. */
  constructor(choose: ChooseUsb = (devices) => devices[0] ?? null) {
    super();
    this.#choose = choose;
    for (const type of ['connect', 'disconnect'] as const) {
      this.addEventListener(type, (event) => {
        if (event instanceof UsbConnectionEvent) {
          this[`on${type}`]?.(event);
        }
      });
    }
  }

  /** Returns the devices that are plugged in and permitted. */
  async getDevices(): Promise<SimulatedUsbDevice[]> {
    return this.#sockets.filter(({ permitted }) => permitted).flatMap(({ device }) => device ?? []);
  }

  /**
   * Opens the chooser with the devices that match a filter (all devices without filters), permitted or not.
   * @throws TypeError for an invalid filter.
   * @throws NotFoundError if the user chooses no device.
   */
  async requestDevice({ filters }: { readonly filters: readonly UsbFilter[] }): Promise<SimulatedUsbDevice> {
    for (const { vendorId, productId } of filters) {
      if (productId !== undefined && vendorId === undefined) {
        const text = 'A filter containing a productId must also contain a vendorId.';
        throw new TypeError(`Failed to execute 'requestDevice' on 'USB': ${text}`);
      }
    }
    const offered = this.#sockets.flatMap(({ device }) => (device !== null && fits(device, filters) ? device : []));
    const chosen = this.#choose(offered);
    const socket = this.#sockets.find(({ device }) => device !== null && device === chosen);
    if (chosen === null || socket === undefined) {
      throw usbError('NotFoundError', 'No device selected.', 'requestDevice', 'USB');
    }
    socket.permitted = true;
    return chosen;
  }

  /** Adds a place to the bus. Called by a board. */
  add(socket: UsbSocket): void {
    this.#sockets.push(socket);
  }

  /** Fires an event at the page, if the page has permission for the device. */
  announce(type: 'connect' | 'disconnect', device: SimulatedUsbDevice, { permitted }: UsbSocket): void {
    queueMicrotask(() => {
      if (permitted) {
        this.dispatchEvent(new UsbConnectionEvent(type, device));
      }
    });
  }
}

/** A filter's class codes fit a device if they fit one of its alternate settings. */
function fits(device: SimulatedUsbDevice, filters: readonly UsbFilter[]): boolean {
  const alternates = device.configurations.flatMap(({ interfaces }) => interfaces.flatMap((one) => one.alternates));
  return (
    filters.length === 0 ||
    filters.some(
      ({ vendorId, productId, classCode, subclassCode, protocolCode, serialNumber }) =>
        (vendorId === undefined || vendorId === device.vendorId) &&
        (productId === undefined || productId === device.productId) &&
        (serialNumber === undefined || serialNumber === device.serialNumber) &&
        (classCode === undefined ||
          alternates.some(
            ({ interfaceClass, interfaceSubclass, interfaceProtocol }) =>
              classCode === interfaceClass &&
              (subclassCode === undefined || subclassCode === interfaceSubclass) &&
              (protocolCode === undefined || protocolCode === interfaceProtocol),
          )),
    )
  );
}
