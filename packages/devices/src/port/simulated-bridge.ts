/**
 * The plug of a simulated device: unplugging and replugging, the program that holds the port, and planned faults.
 * Each time it is plugged in, the device gets new power and new wires, and the page sees a new port, as in Chromium.
 */
import type { Clock } from '@wirebench/clock';
import type { Device, LineError } from '../wire/device.ts';
import type { FaultPlan, OpenFailure, ReplugOptions } from '../wire/faults.ts';
import type { Pace } from '../wire/wire.ts';
import { WiredDevice } from '../wire/wired-device.ts';
import { failedCall } from './port-errors.ts';
import { fireAtPort } from './port-event-target.ts';
import type { Overrun } from './receive-buffer.ts';
import { type PortSocket, SimulatedSerialPort } from './simulated-serial-port.ts';

export interface BridgeOptions {
  readonly device: Device;
  readonly clock: Clock;
  /** Default `wire`. */
  readonly pace?: Pace;
  /** Seed of the faults. Default 1. */
  readonly seed?: number;
  readonly faults?: FaultPlan;
  /** Behaviour when the page does not read. Default `block`. */
  readonly overrun?: Overrun;
  /** Omitted together with the product id for a port that is not on USB. */
  readonly usbVendorId?: number;
  readonly usbProductId?: number;
  /** False: the port exists, but the page has to request it. Default true. */
  readonly permission?: boolean;
  /** Receives exactly the bytes that the device puts on the wire. `received` is true if the port was open. */
  readonly onTransmit?: (bytes: Uint8Array, received: boolean) => void;
}

const openFailures = {
  busy: { name: 'NetworkError', text: 'Failed to open serial port.' },
  denied: { name: 'NetworkError', text: 'Failed to open serial port.' },
  blocked: { name: 'SecurityError', text: 'Access to the feature "serial" is disallowed by permissions policy.' },
} satisfies Record<OpenFailure, { name: string; text: string }>;

/** The time from a plug-in to the next unplug: a port and the wires behind it. */
interface Stay {
  readonly port: SimulatedSerialPort;
  wired: WiredDevice | null;
}

export class SimulatedBridge {
  readonly #options: BridgeOptions;
  readonly #registry: EventTarget;
  #info: SerialPortInfo;
  #stay: Stay | null = null;
  #permission: boolean;
  /** The stay of the page's own port, or an object that represents another program; null while the port is free. */
  #holder: object | null = null;
  #openCalls = 0;
  #timedUnplug: (() => void) | null = null;
  #timedReplug: (() => void) | null = null;
  #unpluggedByPlan = false;
  #transmitted = 0;

  /** Plugs the device in without an event: it is present from the start. */
  constructor(registry: EventTarget, options: BridgeOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#info = usbIds(options);
    this.#permission = options.permission ?? true;
    this.#stay = this.#plugIn();
  }

  /** The page's port; null while unplugged. A replug creates a new one. */
  get port(): SimulatedSerialPort | null {
    return this.#stay?.port ?? null;
  }

  /** True if the page may use the port without a request. */
  get permitted(): boolean {
    return this.#permission;
  }

  /** Number of bytes that the device has put on the wire since this bridge was created. */
  get transmitted(): number {
    return this.#transmitted;
  }

  /** Grants the page permission. Called when the user picks this port in the chooser. */
  permit(): void {
    this.#permission = true;
  }

  /** Pulls the cable: reads and writes fail with a NetworkError, then `disconnect` is fired. */
  unplug(): void {
    const stay = this.#stay;
    if (stay === null) {
      return;
    }
    this.#timedUnplug?.();
    this.#timedUnplug = null;
    this.#stay = null;
    this.#holder = null;
    stay.wired?.detach();
    stay.wired = null;
    stay.port.lose();
    const informed = this.#permission;
    // Chromium lets the streams fail first, and only then does the page receive `disconnect`.
    queueMicrotask(() => {
      stay.port.setDisconnected();
      if (informed) {
        fireAtPort(stay.port, this.#registry, 'disconnect');
      }
    });
  }

  /** Plugs the cable in again: the device restarts behind a new port. A permitted port fires `connect`. */
  replug(options: ReplugOptions = {}): void {
    this.#timedReplug?.();
    this.#timedReplug = null;
    this.unplug();
    this.#info = { ...this.#info, ...this.#options.device.usbIds, ...usbIds(options) };
    this.#permission = options.permission ?? this.#permission;
    const stay = this.#plugIn();
    this.#stay = stay;
    queueMicrotask(() => {
      if (this.#permission && this.#stay === stay) {
        fireAtPort(stay.port, this.#registry, 'connect');
      }
    });
  }

  /**
   * Simulates another program that holds the port: `open` fails until the returned function is called.
   * @throws Error if the port is already held.
   */
  holdElsewhere(): () => void {
    if (this.#holder !== null) {
      throw new Error('The port is held already.');
    }
    const program = {};
    this.#holder = program;
    return () => this.#release(program);
  }

  /** Makes the driver report an error after the bytes received so far. Does nothing while the port is closed. */
  inject(error: LineError): void {
    this.#stay?.port.wireEnd.lineError(error, null);
  }

  #plugIn(): Stay {
    const { device, clock, pace = 'wire', seed = 1, faults = {}, overrun = 'block', onTransmit } = this.#options;
    const socket: PortSocket = {
      info: this.#info,
      overrun,
      splitReads: faults.splitReads ?? false,
      skipDrain: faults.skipDrain ?? false,
      get wired() {
        return stay.wired;
      },
      claim: () => this.#claim(stay),
      release: () => this.#release(stay),
      forget: () => {
        this.#permission = false;
      },
    };
    const stay: Stay = { port: new SimulatedSerialPort(socket), wired: null };
    stay.wired = new WiredDevice(device, stay.port.wireEnd, {
      clock,
      pace,
      seed,
      faults,
      onTransmit: (bytes, received) => {
        this.#transmitted += bytes.length;
        onTransmit?.(bytes, received);
      },
      onUnplug: () => this.#unplugByPlan(),
    });
    return stay;
  }

  async #claim(stay: Stay): Promise<void> {
    const { clock, faults = {} } = this.#options;
    const call = ++this.#openCalls;
    if (faults.openDelay !== undefined) {
      await clock.sleep(faults.openDelay);
    }
    if (faults.open !== undefined && call <= (faults.open.attempts ?? Infinity)) {
      throw openFailed(faults.open.failure);
    }
    if (this.#stay !== stay || !this.#permission) {
      throw openFailed('denied');
    }
    if (this.#holder !== null) {
      throw openFailed('busy');
    }
    this.#holder = stay;
    if (faults.unplugAfterTime !== undefined && !this.#unpluggedByPlan) {
      this.#timedUnplug ??= clock.schedule(faults.unplugAfterTime, () => this.#unplugByPlan());
    }
  }

  #release(holder: object): void {
    if (this.#holder === holder) {
      this.#holder = null;
    }
  }

  #unplugByPlan(): void {
    if (this.#unpluggedByPlan) {
      return;
    }
    const { clock, faults = {} } = this.#options;
    this.#unpluggedByPlan = true;
    this.unplug();
    if (faults.replug !== undefined) {
      const { after, ...options } = faults.replug;
      this.#timedReplug = clock.schedule(after, () => this.replug(options));
    }
  }
}

function usbIds({ usbVendorId, usbProductId }: SerialPortInfo): SerialPortInfo {
  return { ...(usbVendorId !== undefined && { usbVendorId }), ...(usbProductId !== undefined && { usbProductId }) };
}

function openFailed(failure: OpenFailure): DOMException {
  const { name, text } = openFailures[failure];
  return failedCall('open', text, name);
}
