/**
 * The ports of a phone: those of Web Serial, if the browser has it, then those of USB devices. Chrome on Android has
 * Web Serial for wired adapters from Android 17 on, and before that an interface whose list is empty.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { SerialPorts } from '@wirebench/port';
import type { UsbBus, UsbDevice } from './usb-device.ts';
import { UsbSerial } from './usb-serial.ts';

/** A list of the browser: of Web Serial or of WebUSB. */
export type PhoneList = 'serial' | 'usb';

/** Time between two looks at the permitted devices after one has vanished, and the last look, in milliseconds. */
const PERMISSION_POLL = 250;
const PERMISSION_WAIT = 120_000;

export interface PhoneSerialOptions {
  /** Web Serial of this thread; undefined without it. */
  readonly serial: Serial | undefined;
  readonly usb: UsbBus;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export class PhoneSerial implements SerialPorts {
  readonly #serial: Serial | undefined;
  readonly #bus: UsbBus;
  readonly #usb: UsbSerial;
  readonly #clock: Clock;
  /** Devices that were listed or reported when another one vanished. A device beside them is permitted since. */
  #known: Set<UsbDevice> | null = null;
  #pollUntil = 0;

  constructor({ serial, usb, clock = systemClock }: PhoneSerialOptions) {
    this.#serial = serial;
    this.#bus = usb;
    this.#usb = new UsbSerial({ usb, clock });
    this.#clock = clock;
    usb.addEventListener('connect', (event) => this.#known?.add((event as Event & { device: UsbDevice }).device));
    usb.addEventListener('disconnect', () => void this.#awaitPermission());
  }

  /** Returns the ports that may be opened without a question. Page and worker have them in the same order. */
  async getPorts(): Promise<SerialPort[]> {
    const [wired, overUsb] = await Promise.all([this.#wired(), this.#usb.getPorts()]);
    return [...wired, ...overUsb];
  }

  /**
   * Opens a list of the browser. Call it directly in a click or key handler.
   *
   * @throws NotFoundError if it was closed without a choice.
   * @throws NotSupportedError if the chosen device has no serial port.
   */
  requestPort(list: PhoneList): Promise<SerialPort> {
    return list === 'serial' && this.#serial !== undefined ? this.#serial.requestPort() : this.#usb.requestPort();
  }

  addEventListener: SerialPorts['addEventListener'] = (type: string, listener: EventListenerOrEventListenerObject) => {
    this.#serial?.addEventListener(type, listener);
    this.#usb.addEventListener(type, listener);
  };

  removeEventListener: SerialPorts['removeEventListener'] = (
    type: string,
    listener: EventListenerOrEventListenerObject,
  ) => {
    this.#serial?.removeEventListener(type, listener);
    this.#usb.removeEventListener(type, listener);
  };

  async #wired(): Promise<SerialPort[]> {
    try {
      return (await this.#serial?.getPorts()) ?? [];
    } catch (error) {
      // A permissions policy may deny Web Serial alone.
      if (error instanceof DOMException) {
        return [];
      }
      throw error;
    }
  }

  /**
   * Reports devices that a person permits after another one has vanished. Android forgets a permission when a device
   * leaves the bus, and a permission fires no event.
   */
  async #awaitPermission(): Promise<void> {
    this.#pollUntil = this.#clock.now() + PERMISSION_WAIT;
    if (this.#known !== null) {
      return;
    }
    const known = new Set(await this.#bus.getDevices());
    this.#known = known;
    while (this.#clock.now() < this.#pollUntil) {
      await this.#clock.sleep(PERMISSION_POLL);
      for (const device of await this.#bus.getDevices()) {
        if (!known.has(device)) {
          known.add(device);
          this.#usb.announce(device);
        }
      }
    }
    this.#known = null;
  }
}
