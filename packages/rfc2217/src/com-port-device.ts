/**
 * The `SerialPort` behind a client: opened when it is first needed, opened anew when its settings change, without losing what was written
 * before. Knows no Telnet and no client.
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
} from '@wirebench/serial/port';

export interface ComPortDeviceOptions {
  readonly clock: Clock;
  /** Closed. */
  readonly device: SerialPort;
  /** What it is opened with while nobody says otherwise. */
  readonly settings: PortSettings;
}

interface ComPortDeviceEvents {
  readonly bytes: (bytes: Uint8Array) => void;
  /** Reading waits for what it gives. */
  readonly room: () => Promise<void> | null;
  readonly lineError: (kind: 'break' | 'framing' | 'parity' | 'overrun') => void;
  /** The port is gone, or cannot be used: called once at most, never after `close`. */
  readonly ended: (end: LinkEnd) => void;
}

export class ComPortDevice {
  readonly #clock: Clock;
  readonly #device: SerialPort;
  readonly #events: ComPortDeviceEvents;
  readonly #over = new AbortController();
  #settings: PortSettings;
  #link: SerialLink | null = null;
  /** A driver raises both when it opens a port. */
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

  /** As they were set last. */
  get lines(): ControlLines {
    return this.#lines;
  }

  get info(): SerialPortInfo {
    return this.#device.getInfo();
  }

  /**
   * Opens the port, or opens it anew when something has changed. What was written before has left by then. Settings that the port cannot
   * have leave those that it had.
   * @throws OpenError when it cannot be opened at all; the reason of an abort.
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

  /** Resolves when the port has taken the bytes. Never rejects: a port that does not take them ends. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#link?.send(bytes).catch(() => undefined);
  }

  /** Never rejects: a port without such lines can be used all the same, and one that is gone ends. */
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

  /** Never rejects. */
  async setBreak(on: boolean): Promise<void> {
    if (this.#link !== null) {
      await setControlLines(this.#device, { break: on }).catch(() => undefined);
    }
  }

  /** Null while the port is not open, and where it has no such lines. */
  async inputs(): Promise<SerialInputSignals | null> {
    return this.#link === null ? null : this.#device.getSignals().catch(() => null);
  }

  /** Nothing is waited for any more: what is being played stops, what has not been written is dropped. */
  abort(): void {
    this.#over.abort(new DOMException('The port is being closed.', 'AbortError'));
  }

  /** Bounded in time; never rejects. */
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
 * From the lines of a port that was just opened to those that the client has left. RTS goes first: RTS alone, for however short a time, resets a
 * board with Espressif's circuit, and a browser that is asked to lower both lowers DTR first.
 */
function stepsFromRaised({ dtr, rts }: ControlLines): LineStep[] {
  return [...(rts ? [] : [[true, false, 0] as const]), ...(dtr ? [] : [[false, rts, 0] as const])];
}
