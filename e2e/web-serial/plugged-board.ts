/**
 * A simulated board behind a virtual serial port. The browser's actions on the port reach the board's wires, and the
 * board's output reaches the browser. Unplugging cuts the board's power, as with a real one.
 */
import { systemClock } from '@wirebench/clock';
import { type Device, type Host, WiredDevice } from '@wirebench/devices';
import type { LineSettings, VirtualPort } from './virtual-port.ts';

export class PluggedBoard {
  readonly #port: VirtualPort;
  readonly #device: Device;
  readonly #seen: string[] = [];
  readonly #spoken: { readonly bytes: Uint8Array; readonly received: boolean }[] = [];
  #wired: WiredDevice;
  #writable = true;

  constructor(port: VirtualPort, device: Device) {
    this.#port = port;
    this.#device = device;
    this.#wired = this.#wire();
    port.on('settings', (settings) => this.#opened(settings));
    port.on('signals', ({ dtr, rts }) => {
      this.#seen.push(`DTR ${dtr ? 'on' : 'off'}, RTS ${rts ? 'on' : 'off'}`);
      this.#wired.setLines({ dtr, rts });
    });
    port.on('break', (on) => this.#wired.setLines({ break: on }));
    port.on('data', (bytes) => this.#wired.send(bytes));
    port.on('close', () => {
      // A closed connection never emits `writable`, so reset the state here.
      this.#writable = true;
      this.#wired.close();
    });
    port.on('writable', () => {
      this.#writable = true;
      this.#wired.resume();
    });
  }

  /** States of the control lines in the order that the board received. */
  get seenSignals(): readonly string[] {
    return this.#seen;
  }

  get baudRate(): number {
    return this.#port.baudRate;
  }

  /** Bytes that the board sent while the port was open. */
  get received(): Buffer {
    return Buffer.concat(this.#spoken.filter(({ received }) => received).map(({ bytes }) => bytes));
  }

  /** All bytes that the board sent, also while the port was closed. */
  get spoken(): Buffer {
    return Buffer.concat(this.#spoken.map(({ bytes }) => bytes));
  }

  unplug(): void {
    this.#port.unplug();
    this.#wired.detach();
  }

  plug(): void {
    this.#writable = true;
    this.#wired = this.#wire();
    this.#port.plug();
  }

  #opened({ baudRate, dataBits, stopBits, parity }: LineSettings): void {
    this.#wired.open({
      baudRate,
      dataBits: dataBits === 7 ? 7 : 8,
      stopBits: stopBits === 2 ? 2 : 1,
      parity: parity === 'even' || parity === 'odd' ? parity : 'none',
    });
  }

  #wire(): WiredDevice {
    const host: Host = {
      room: () => (this.#writable ? Number.POSITIVE_INFINITY : 0),
      receive: (bytes) => {
        this.#writable = this.#port.write(bytes);
      },
      // Linux reports no framing errors and no overruns. A badly framed byte arrives like any other one.
      lineError: (error, byte) => {
        if (error === 'break' || error === 'parity') {
          this.#port.inject(error);
        } else if (error === 'framing' && byte !== null) {
          host.receive(Uint8Array.of(byte));
        }
      },
      moved: () => undefined,
    };
    return new WiredDevice(this.#device, host, {
      clock: systemClock,
      // The virtual port does the pacing if a test requests it.
      pace: 'none',
      onTransmit: (bytes, received) => {
        this.#spoken.push({ bytes: Uint8Array.from(bytes), received });
      },
    });
  }
}

/** A device whose cable is pulled by a fault or by a reset of its own. */
interface PullableDevice extends Device {
  /** @param replugAfter Milliseconds until the port comes back. Null: only when the test plugs it in. */
  onUnplug: ((replugAfter: number | null) => void) | null;
}

/** Plugs a device in, whose own unplugs pull the cable of its port from now on. */
export function plugIn(port: VirtualPort, device: PullableDevice): PluggedBoard {
  const board = new PluggedBoard(port, device);
  device.onUnplug = (replugAfter) => {
    board.unplug();
    if (replugAfter !== null) {
      systemClock.schedule(replugAfter, () => board.plug());
    }
  };
  return board;
}
