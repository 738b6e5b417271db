/**
 * The port of a Nordic board across restarts. On the chip's own USB the port vanishes at a restart and another one
 * appears. Callers announce when that may happen; otherwise a vanished device counts as unplugged.
 */
import type { Clock } from '@wirebench/clock';
import type { ExpectedBytes } from '@wirebench/port';
import { type BytePort, openBytePort } from '../../byte-port.ts';
import { awaitReturn, type ReturnOptions } from '../../returned-port.ts';
import { returnLimit } from '../deadlines.ts';
import { NrfError } from '../nrf-failure.ts';

const usualBaudRate = 115_200;

/**
 * USB vendor IDs of bridges to a UART: Silicon Labs, FTDI, WCH, Prolific, SEGGER, Arm, Cypress. Also vendors of debug
 * probes with a UART: ST (ST-LINK), Raspberry Pi (Debug Probe), Espressif (esp-usb-bridge), Atmel (EDBG), NXP
 * (LPC-Link), TI (XDS110). None of them makes a chip that is flashed here over its own USB.
 */
const BRIDGES: ReadonlySet<number> = new Set([
  0x10c4, 0x0403, 0x1a86, 0x067b, 0x1366, 0x0d28, 0x04b4, 0x0483, 0x2e8a, 0x303a, 0x03eb, 0x1fc9, 0x0451,
]);
/** Microchip, which licenses its vendor ID to others. Only its own bridges count: MCP2221 and MCP2200. */
const MICROCHIP = 0x04d8;
const MICROCHIP_BRIDGES: readonly (number | undefined)[] = [0x00dd, 0x00df];

/** `usb`: the chip itself is on USB, where the baud rate has no effect and a restart makes the port vanish. */
export type NrfLink = 'uart' | 'usb';

export function linkOf(device: SerialPort): NrfLink {
  const { usbVendorId, usbProductId } = device.getInfo();
  const isBridge =
    usbVendorId === undefined ||
    BRIDGES.has(usbVendorId) ||
    (usbVendorId === MICROCHIP && MICROCHIP_BRIDGES.includes(usbProductId));
  return isBridge ? 'uart' : 'usb';
}

export interface NrfPortOptions extends ReturnOptions {
  readonly baudRate?: number;
}

/**
 * Opens `device`.
 *
 * @throws PortError, or the reason of `signal`.
 */
export async function openNrfPort(device: SerialPort, options: NrfPortOptions, signal: AbortSignal): Promise<NrfPort> {
  const { clock, baudRate = usualBaudRate } = options;
  return new NrfPort(await openBytePort(device, { baudRate }, clock, signal), options);
}

/** An open port. `openNrfPort` creates it. */
export class NrfPort {
  readonly clock: Clock;
  readonly #options: NrfPortOptions;
  #port: BytePort;
  #mayVanish = false;
  #sent = 0;
  readonly #over = new AbortController();

  constructor(port: BytePort, options: NrfPortOptions) {
    this.clock = options.clock;
    this.#options = options;
    this.#port = port;
    this.#watch(port);
  }

  /** Current port. Do not store it, because a restart may replace it. */
  get bytes(): BytePort {
    return this.#port;
  }

  get link(): NrfLink {
    return linkOf(this.#port.device);
  }

  /** In baud; null on USB. */
  get baudRate(): number | null {
    return this.link === 'usb' ? null : this.#port.baudRate;
  }

  /** Bytes written so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Aborts when the board is gone or closed. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** @param after Bytes that the board has to send first; only if the port can wait for them. */
  write(bytes: Uint8Array, after: ExpectedBytes | null = null): void {
    this.#sent += bytes.length;
    this.#port.write(bytes, after);
  }

  /** Runs `work`, during which the device may vanish. `work` handles that. */
  async mayVanish<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#mayVanish = true;
    try {
      return await work();
    } finally {
      this.#mayVanish = false;
      if (this.#port.over.aborted) {
        this.#over.abort(this.#port.over.reason);
      }
    }
  }

  /** Waits at most `limit` milliseconds until the device has vanished. Returns true if it has. */
  async vanished(limit: number, signal: AbortSignal): Promise<boolean> {
    const gone = this.#port.over;
    await this.clock.sleep(limit, AbortSignal.any([gone, signal])).catch(() => undefined);
    signal.throwIfAborted();
    return gone.aborted;
  }

  /** Returns the port as which the board came back; null if no port is found in time. */
  awaitReturn(signal: AbortSignal, limit: number = returnLimit): Promise<SerialPort | null> {
    return awaitReturn(this.#options, signal, limit);
  }

  /**
   * Waits for the board's new port and continues with it.
   *
   * @throws NrfError `came-back-different`, or PortError.
   */
  async follow(signal: AbortSignal, limit: number = returnLimit): Promise<void> {
    const device = await this.awaitReturn(signal, limit);
    if (device === null) {
      throw new NrfError('came-back-different');
    }
    await this.#port.close();
    const { clock, baudRate = usualBaudRate } = this.#options;
    this.#port = await openBytePort(device, { baudRate }, clock, signal);
    this.#watch(this.#port);
  }

  /** Closes the port. Limited in time; never rejects. */
  async close(): Promise<void> {
    this.#over.abort(new DOMException('The board is closed.', 'AbortError'));
    await this.#port.close();
  }

  #watch(port: BytePort): void {
    port.over.addEventListener('abort', () => {
      if (!this.#mayVanish && port === this.#port) {
        this.#over.abort(port.over.reason);
      }
    });
  }
}
