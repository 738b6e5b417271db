/** A `USB` of WebUSB: the devices that a page may use, and the chooser. Takes the place of `navigator.usb`. */
import type { SimulatedUsbDevice } from './usb-device.ts';
import { type UsbFilter, usbError } from './web-usb.ts';

/** What `connect` and `disconnect` of a `USB` are. */
class UsbConnectionEvent extends Event {
  readonly device: SimulatedUsbDevice;

  constructor(type: 'connect' | 'disconnect', device: SimulatedUsbDevice) {
    super(type);
    this.device = device;
  }
}

export type UsbConnectionHandler = ((event: UsbConnectionEvent) => void) | null;

/** What the person does in the chooser: picks one of the devices, or none. */
export type ChooseUsb = (devices: readonly SimulatedUsbDevice[]) => SimulatedUsbDevice | null;

/** A place on the bus: what is plugged in there now, and whether the page may use it. */
export interface UsbSocket {
  readonly device: SimulatedUsbDevice | null;
  permitted: boolean;
}

export class SimulatedUsb extends EventTarget {
  onconnect: UsbConnectionHandler = null;
  ondisconnect: UsbConnectionHandler = null;
  readonly #sockets: UsbSocket[] = [];
  readonly #choose: ChooseUsb;

  /** @param choose answers the chooser; the first device when left out. */
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

  /** The devices that are plugged in and permitted. */
  async getDevices(): Promise<SimulatedUsbDevice[]> {
    return this.#sockets.filter(({ permitted }) => permitted).flatMap(({ device }) => device ?? []);
  }

  /**
   * Lets the person choose among the devices that fit a filter, permitted or not; without filters among all.
   * @throws TypeError for a filter that cannot be; NotFoundError when none is chosen.
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

  /** For whoever plugs something in: from here on the bus knows the place. */
  add(socket: UsbSocket): void {
    this.#sockets.push(socket);
  }

  /** Tells the page, when it may know. */
  announce(type: 'connect' | 'disconnect', device: SimulatedUsbDevice, { permitted }: UsbSocket): void {
    queueMicrotask(() => {
      if (permitted) {
        this.dispatchEvent(new UsbConnectionEvent(type, device));
      }
    });
  }
}

function fits(device: SimulatedUsbDevice, filters: readonly UsbFilter[]): boolean {
  const codes = device.configurations[0]?.interfaces[0]?.alternate;
  return (
    filters.length === 0 ||
    filters.some(
      ({ vendorId, productId, classCode, subclassCode, protocolCode, serialNumber }) =>
        (vendorId === undefined || vendorId === device.vendorId) &&
        (productId === undefined || productId === device.productId) &&
        (classCode === undefined || classCode === codes?.interfaceClass) &&
        (subclassCode === undefined || subclassCode === codes?.interfaceSubclass) &&
        (protocolCode === undefined || protocolCode === codes?.interfaceProtocol) &&
        (serialNumber === undefined || serialNumber === device.serialNumber),
    )
  );
}
