/**
 * The ports of a phone: those of Web Serial, if the browser has it, then those of USB devices. Chrome on Android has
 * Web Serial for wired adapters from Android 17 on, and before that an interface whose list is empty.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import type { SerialPorts } from '@wirebench/port';
import { fireAt } from '@wirebench/port/web-serial';
import type { UsbBus } from './usb-device.ts';
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
  readonly #usb: UsbSerial;
  readonly #clock: Clock;
  /** Ports that were listed or reported when another one vanished. A port beside them is permitted since. */
  #known: Set<EventTarget> | null = null;
  #pollUntil = 0;

  constructor({ serial, usb, clock = systemClock }: PhoneSerialOptions) {
    this.#serial = serial;
    this.#usb = new UsbSerial({ usb, clock });
    this.#clock = clock;
    this.addEventListener('connect', ({ target }) => target !== null && this.#known?.add(target));
    this.addEventListener('disconnect', () => void this.#awaitPermission());
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
   * Reports ports that a person permits after another one has vanished. Android forgets a permission when a device
   * leaves the bus, and a permission fires no event.
   */
  async #awaitPermission(): Promise<void> {
    this.#pollUntil = this.#clock.now() + PERMISSION_WAIT;
    if (this.#known !== null) {
      return;
    }
    const known = new Set<EventTarget>();
    this.#known = known;
    for (const port of await this.getPorts()) {
      known.add(port);
    }
    while (this.#clock.now() < this.#pollUntil) {
      await this.#clock.sleep(PERMISSION_POLL);
      for (const port of await this.getPorts()) {
        if (!known.has(port)) {
          fireAt(port, this.#usb, 'connect');
        }
      }
    }
    this.#known = null;
  }
}
