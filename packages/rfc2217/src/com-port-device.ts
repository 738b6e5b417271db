/**
 * Drives the `SerialPort` behind a client. It opens the port when it is first needed and reopens it for other
 * settings. A reopen first waits for written bytes to leave.
 */
import type { Clock } from '@wirebench/clock';
import {
  type ControlLines,
  type LineStep,
  type LinkEnd,
  linesRaised,
  OpenError,
  openPort,
  type PortSettings,
  playSteps,
  SerialLink,
  setControlLines,
  stepPlayerOf,
} from '@wirebench/port';

export interface ComPortDeviceOptions {
  readonly clock: Clock;
  /** The port, not yet open. */
  readonly device: SerialPort;
  /** Settings until the client asks for others. */
  readonly settings: PortSettings;
}

interface ComPortDeviceEvents {
  readonly bytes: (bytes: Uint8Array) => void;
  /** Returns a promise that delays reading; null if reading may continue. */
  readonly room: () => Promise<void> | null;
  readonly lineError: (kind: 'break' | 'framing' | 'parity' | 'overrun') => void;
  /** The port is gone or cannot be used. Called at most once, never after `close`. */
  readonly ended: (end: LinkEnd) => void;
}

export class ComPortDevice {
  readonly #clock: Clock;
  readonly #device: SerialPort;
  readonly #events: ComPortDeviceEvents;
  readonly #over = new AbortController();
  #settings: PortSettings;
  #link: SerialLink | null = null;
  /** Both raised at the start: a driver raises both when it opens a port. */
  #lines: ControlLines = linesRaised;

  constructor({ clock, device, settings }: ComPortDeviceOptions, events: ComPortDeviceEvents) {
    this.#clock = clock;
    this.#device = device;
    this.#settings = settings;
    this.#events = events;
  }

  get settings(): PortSettings {
    return this.#settings;
  }

  get isOpen(): boolean {
    return this.#link !== null;
  }

  /** The control lines as set last. */
  get lines(): ControlLines {
    return this.#lines;
  }

  get info(): SerialPortInfo {
    return this.#device.getInfo();
  }

  /**
   * Opens the port, or reopens it if a setting has changed. Bytes written before leave the port first. If the port
   * refuses the settings, it keeps the previous ones.
   *
   * @throws OpenError if the port cannot be opened at all.
   * @throws The abort reason after `abort`.
   */
  async configure(change: Partial<PortSettings>): Promise<void> {
    const before = this.#settings;
    const wanted = { ...before, ...change };
    const names = Object.keys(wanted) as (keyof PortSettings)[];
    if (this.#link !== null && names.every((name) => wanted[name] === before[name])) {
      return;
    }
    await this.#shut();
    try {
      await this.#open(wanted);
    } catch (error) {
      const mayBeSettings =
        error instanceof OpenError && (error.code === 'bad-settings' || error.code === 'open-failed');
      if (!mayBeSettings) {
        throw error;
      }
      await this.#open(before);
    }
  }

  /** Resolves when the port has taken the bytes. Never rejects: a port that fails to take them reports `ended`. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#link?.send(bytes).catch(() => undefined);
  }

  /**
   * Plays a sequence of control lines. Never rejects: a port without control lines stays usable, and a port that is
   * gone reports `ended`.
   */
  async play(steps: readonly LineStep[]): Promise<void> {
    const last = steps.at(-1);
    const link = this.#link;
    if (last === undefined || link === null) {
      return;
    }
    this.#lines = { dtr: last[0], rts: last[1] };
    const set = (lines: ControlLines) => setControlLines(this.#device, lines);
    const until = AbortSignal.any([this.#over.signal, link.over]);
    const player = stepPlayerOf(this.#device);
    const playing = player?.playSteps(steps, until) ?? playSteps(this.#clock, steps, set, until);
    await playing.catch(() => undefined);
  }

  /** Starts or ends a break. Never rejects. */
  async setBreak(on: boolean): Promise<void> {
    if (this.#link !== null) {
      await setControlLines(this.#device, { break: on }).catch(() => undefined);
    }
  }

  /** Reads the modem lines. Returns null if the port is closed or has no such lines. */
  async inputs(): Promise<SerialInputSignals | null> {
    return this.#link === null ? null : this.#device.getSignals().catch(() => null);
  }

  /** Aborts all waits: a sequence that is playing stops, and bytes that are not yet written are dropped. */
  abort(): void {
    this.#over.abort(new DOMException('The port is being closed.', 'AbortError'));
  }

  /** Closes the port within a bounded time. Never rejects. */
  async close(): Promise<void> {
    const isDropped = this.#over.signal.aborted;
    this.abort();
    const link = this.#link;
    this.#link = null;
    await link?.close(isDropped ? 'drop' : 'send');
  }

  async #shut(): Promise<void> {
    const link = this.#link;
    if (link === null) {
      return;
    }
    await link.drain().catch(() => undefined);
    this.#link = null;
    await link.close('drop');
  }

  async #open(settings: PortSettings): Promise<void> {
    const { signal } = this.#over;
    const { bytes, room, lineError, ended } = this.#events;
    const link = await openPort(this.#clock, {
      device: this.#device,
      settings,
      signal,
      onOpen: () =>
        new SerialLink(
          this.#clock,
          { device: this.#device, settings, overruns: 'read-on' },
          { bytes, room, lineError, overrun: () => lineError('overrun'), ended },
        ),
    });
    this.#settings = settings;
    this.#link = link;
    link.start();
    await this.play(stepsFromRaised(this.#lines));
  }
}

/**
 * Returns the steps from the lines of a newly opened port to those that the client has set. RTS is lowered first. If
 * DTR falls first, RTS alone is high for a moment, which resets a board with Espressif's circuit. A browser that
 * lowers both at once lowers DTR first.
 */
function stepsFromRaised({ dtr, rts }: ControlLines): LineStep[] {
  return [...(rts ? [] : [[true, false, 0] as const]), ...(dtr ? [] : [[false, rts, 0] as const])];
}
