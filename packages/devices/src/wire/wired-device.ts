/**
 * A device with its wires: two paced directions with garbling and faults, control lines, and the host's state. The
 * host is the simulated port, a TCP connection or a pseudo-terminal.
 */
import type { Clock } from '@wirebench/clock';
import { createRandom, type Random } from '../random.ts';
import { type ControlLines, type Device, type DeviceLine, type LineError, lowWater } from './device.ts';
import type { DirectionFaults, WireFaults } from './faults.ts';
import type { Link, UartSettings } from './link.ts';
import { Noise } from './noise.ts';
import { type Reception, UartReceiver } from './uart-receiver.ts';
import { type Pace, Wire } from './wire.ts';

/** The host's end of the wire. Called only while the host has the port open. */
export interface Host {
  /** Returns the bytes that the host accepts now; `Infinity` if it never holds a device back. */
  room(): number;
  /** Receives bytes from the device. The host may keep the array. */
  receive(bytes: Uint8Array): void;
  /**
   * Receives an error on the line, after the bytes received so far.
   * @param byte Byte that resulted from a `framing` or `parity` error on the wire; otherwise null.
   */
  lineError(error: LineError, byte: number | null): void;
  /** Called when bytes from the host have been carried and `pendingToDevice` has decreased. */
  moved(): void;
}

export interface WiredDeviceOptions {
  readonly clock: Clock;
  /** Default `wire`. */
  readonly pace?: Pace;
  readonly seed?: number;
  readonly faults?: WireFaults;
  /** Receives exactly the bytes that the device puts on the wire. `received` is true if a host had the port open. */
  readonly onTransmit?: (bytes: Uint8Array, received: boolean) => void;
  /** Called when a fault pulls the cable. */
  readonly onUnplug?: () => void;
}

/** An action exactly after the n-th byte of a direction, independent of the chunks. */
interface ByteTrigger {
  readonly after: number;
  fire(): void;
}

class ByteTriggers {
  readonly #waiting: ByteTrigger[];
  #passed = 0;

  constructor(triggers: readonly ByteTrigger[]) {
    this.#waiting = triggers.toSorted((one, other) => one.after - other.after);
  }

  /** Passes `bytes` on in one piece, or in several with the triggers between them. */
  pass(bytes: Uint8Array, onward: (bytes: Uint8Array) => void): void {
    let from = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const at = from + next.after - this.#passed;
      if (at > bytes.length) {
        break;
      }
      this.#waiting.shift();
      if (at > from) {
        this.#passed += at - from;
        onward(bytes.subarray(from, at));
        from = at;
      }
      next.fire();
    }
    if (from < bytes.length) {
      this.#passed += bytes.length - from;
      onward(bytes.subarray(from));
    }
  }
}

/** Delays arrivals and keeps their order: a later arrival waits for the earlier ones. */
class Delay {
  readonly #clock: Clock;
  readonly #least: number;
  readonly #most: number;
  readonly #random: Random;
  readonly #waiting: { readonly due: number; readonly arrive: () => void }[] = [];
  #cancelTimer: (() => void) | null = null;

  /** @param delay Milliseconds, or a range from which each arrival gets a random value. Default: no delay. */
  constructor(clock: Clock, delay: number | readonly [number, number] | undefined, random: Random) {
    this.#clock = clock;
    [this.#least, this.#most] = typeof delay === 'number' ? [delay, delay] : (delay ?? [0, 0]);
    this.#random = random;
  }

  run(arrive: () => void): void {
    if (this.#most === 0) {
      arrive();
      return;
    }
    const due = this.#clock.now() + this.#least + this.#random.next() * (this.#most - this.#least);
    this.#waiting.push({ due, arrive });
    this.#schedule();
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #schedule(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#cancelTimer !== null) {
      return;
    }
    this.#cancelTimer = this.#clock.schedule(next.due - this.#clock.now(), () => {
      this.#cancelTimer = null;
      this.#waiting.shift()?.arrive();
      this.#schedule();
    });
  }
}

interface Direction {
  readonly noise: Noise;
  readonly receiver: UartReceiver;
  readonly delay: Delay;
  readonly triggers: ByteTriggers;
}

const released: ControlLines = { dtr: false, rts: false, break: false };

export class WiredDevice {
  readonly #device: Device;
  readonly #host: Host;
  readonly #clock: Clock;
  readonly #onTransmit: ((bytes: Uint8Array, received: boolean) => void) | undefined;
  readonly #toHost: Direction & { readonly wire: Wire };
  readonly #toDevice: Direction & { readonly wire: Wire };
  /** Settings with which the host opened the port; null while it is closed. */
  #settings: UartSettings | 'as the device' | null = null;
  #lines = released;
  #inputs: SerialInputSignals = {
    dataCarrierDetect: false,
    clearToSend: false,
    ringIndicator: false,
    dataSetReady: false,
  };
  /** True: the host does not send while the device's clear-to-send is inactive. */
  #heedsClearToSend = false;
  /** Bytes in the delay on their way to the host. */
  #late = 0;
  #aboveLowWater = false;
  #attached = true;

  /** Powers the device. */
  constructor(device: Device, host: Host, options: WiredDeviceOptions) {
    const { clock, pace = 'wire', seed = 1, faults = {} } = options;
    const unplug = () => options.onUnplug?.();
    const direction = (name: string, plan: DirectionFaults = {}, errors: WireFaults['errors'] = []): Direction => {
      const random = (purpose: string): Random => createRandom(seed, `${name} ${purpose}`);
      const triggers = errors.map(({ after, error }) => ({ after, fire: () => this.#reportToHost(error, null) }));
      const unplugs = plan.unplugAfter === undefined ? [] : [{ after: plan.unplugAfter, fire: unplug }];
      return {
        noise: new Noise(plan, random),
        receiver: new UartReceiver(random('edge')),
        delay: new Delay(clock, plan.delay, random('delay')),
        triggers: new ByteTriggers([...triggers, ...unplugs]),
      };
    };
    this.#device = device;
    this.#host = host;
    this.#clock = clock;
    this.#onTransmit = options.onTransmit;
    this.#toHost = {
      ...direction('to host', faults.toHost, faults.errors),
      wire: new Wire(clock, pace, {
        room: () => (this.#settings === null ? Infinity : this.#host.room() - this.#late),
        deliver: (bytes, link) => this.#arriveAtHost(bytes, link),
        moved: () => this.#askForMore(),
        idle: () => this.#toHost.receiver.idle(this.#hostReception),
      }),
    };
    this.#toDevice = {
      ...direction('to device', faults.toDevice),
      wire: new Wire(clock, pace, {
        room: () => (this.#heedsClearToSend && !this.#inputs.clearToSend ? 0 : Infinity),
        deliver: (bytes, link) => this.#arriveAtDevice(bytes, link),
        moved: () => this.#host.moved(),
        idle: () => this.#toDevice.receiver.idle(this.#deviceReception),
      }),
    };
    device.attach(this.#deviceLine());
  }

  /** The control lines that the device drives. */
  get inputs(): SerialInputSignals {
    return this.#inputs;
  }

  /** Bytes sent by the host and not yet carried. */
  get pendingToDevice(): number {
    return this.#toDevice.wire.pending;
  }

  /**
   * Opens the port for the host. An open host that changes its rate calls this again.
   * @param settings Rate and frame of the host. Null: a host without a rate, such as a TCP connection, which always
   *   matches the device.
   */
  open(settings: UartSettings | null, { heedsClearToSend = false }: { heedsClearToSend?: boolean } = {}): void {
    this.#settings = settings ?? 'as the device';
    this.#heedsClearToSend = heedsClearToSend;
    if (this.#attached) {
      this.#device.hostOpened?.(this.#hostSettings());
    }
  }

  /** Closes the port for the host. Unsent bytes of the host are lost, and further output of the device is dropped. */
  close(): void {
    this.discardToDevice();
    this.#settings = null;
    this.#toHost.delay.clear();
    this.#late = 0;
    this.#toHost.wire.resume();
    if (this.#attached) {
      this.#device.hostClosed?.();
    }
  }

  /** Sets the host's control lines. Omitted lines keep their state. */
  setLines(lines: Partial<ControlLines>): void {
    const next = { ...this.#lines, ...lines };
    const changed = next.dtr !== this.#lines.dtr || next.rts !== this.#lines.rts || next.break !== this.#lines.break;
    if (changed && this.#attached) {
      this.#lines = next;
      this.#device.controlChanged?.(next);
    }
  }

  /** Sends a copy of `bytes` from the host. `pendingToDevice` shows the amount that waits. */
  send(bytes: Uint8Array): void {
    this.#toDevice.wire.write(bytes, this.#hostLink());
  }

  /** Discards the host's bytes that have not been carried. */
  discardToDevice(): void {
    this.#toDevice.wire.clear();
  }

  /** Continues after `room()` was too small. */
  resume(): void {
    this.#toHost.wire.resume();
  }

  /** Removes the power. The wires stay dead: a device that comes back needs a new `WiredDevice`. */
  detach(): void {
    this.#attached = false;
    this.#toHost.wire.stop();
    this.#toDevice.wire.stop();
    this.#toHost.delay.clear();
    this.#toDevice.delay.clear();
    this.#device.detach();
  }

  #deviceLine(): DeviceLine {
    const { wire } = this.#toHost;
    return {
      clock: this.#clock,
      get pending() {
        return wire.pending;
      },
      write: (bytes) => {
        wire.write(bytes, this.#device.link);
        this.#aboveLowWater ||= wire.pending > lowWater;
      },
      sendBreak: () =>
        wire.mark(this.#device.link, () => this.#toHost.delay.run(() => this.#reportToHost('break', null))),
      setInputs: (lines) => {
        this.#inputs = { ...this.#inputs, ...lines };
        this.#toDevice.wire.resume();
      },
    };
  }

  #askForMore(): void {
    if (this.#aboveLowWater && this.#toHost.wire.pending <= lowWater) {
      this.#aboveLowWater = false;
      this.#device.writable?.();
    }
  }

  /** Returns the host's settings, or the device's if the host has none. */
  #hostSettings(): UartSettings {
    if (this.#settings !== null && this.#settings !== 'as the device') {
      return this.#settings;
    }
    const { link } = this.#device;
    return link.kind === 'uart' ? link : { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' };
  }

  #hostLink(): Link {
    const { link } = this.#device;
    return link.kind === 'usb' ? link : { kind: 'uart', ...this.#hostSettings() };
  }

  #arriveAtHost(bytes: Uint8Array, link: Link): void {
    const received = this.#settings !== null;
    this.#onTransmit?.(bytes, received);
    if (received) {
      const settings = this.#settings === 'as the device' ? link : this.#hostLink();
      carry(bytes, link, settings, this.#toHost, this.#hostReception);
    }
  }

  #arriveAtDevice(bytes: Uint8Array, link: Link): void {
    const settings = this.#settings === 'as the device' ? link : this.#device.link;
    carry(bytes, link, settings, this.#toDevice, this.#deviceReception);
  }

  readonly #hostReception: Reception = {
    bytes: (bytes) => {
      this.#late += bytes.length;
      this.#toHost.delay.run(() => {
        this.#late -= bytes.length;
        this.#toHost.triggers.pass(bytes, (piece) => {
          if (this.#attached && this.#settings !== null) {
            this.#host.receive(piece);
          }
        });
      });
    },
    damaged: (error, byte) => this.#toHost.delay.run(() => this.#reportToHost(error, byte)),
  };

  readonly #deviceReception: Reception = {
    bytes: (bytes) =>
      this.#toDevice.delay.run(() => {
        this.#toDevice.triggers.pass(bytes, (piece) => {
          if (this.#attached) {
            this.#device.receive(piece);
          }
        });
      }),
    damaged: (error, byte) =>
      this.#toDevice.delay.run(() => {
        if (this.#attached && this.#device.receiveDamaged) {
          this.#device.receiveDamaged(error, byte);
        } else if (this.#attached) {
          this.#device.receive(Uint8Array.of(byte));
        }
      }),
  };

  #reportToHost(error: LineError, byte: number | null): void {
    if (this.#attached && this.#settings !== null) {
      this.#host.lineError(error, byte);
    }
  }
}

/** Passes bytes through noise and sampling, between two ends with the settings `from` and `to`. */
function carry(bytes: Uint8Array, from: Link, to: Link, { noise, receiver }: Direction, reception: Reception): void {
  const sample = (piece: Uint8Array, into: Reception) => {
    if (from.kind === 'uart' && to.kind === 'uart') {
      receiver.receive(piece, from, to, into);
    } else {
      into.bytes(piece);
    }
  };
  noise.pass(bytes, {
    clean: (piece) => sample(piece, reception),
    flipped: (byte) => {
      const guarded = to.kind === 'uart' && to.parity !== 'none';
      sample(Uint8Array.of(byte), guarded ? { ...reception, bytes: reportParity(reception) } : reception);
    },
  });
}

/** Reports received bytes as parity errors: a parity bit detects every single flipped bit. */
function reportParity(reception: Reception): Reception['bytes'] {
  return (bytes) => {
    for (const byte of bytes) {
      reception.damaged('parity', byte);
    }
  };
}
