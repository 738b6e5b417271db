/**
 * Tracks which guest uses which port. A port has at most one user. The host's session releases it for the guest, and
 * gets it back when the guest leaves or the host reclaims it.
 */
import type { Clock } from '@wirebench/clock';
import { errorName, OpenError } from '@wirebench/port';
import type { Answer, PortEnd, SettingsFields } from '../frames/messages.ts';
import type { Lane } from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';
import type { BenchAccess, GuestName, OpenSettings } from './bench-access.ts';
import { type HostPort, openHostPort, type ToGuest } from './host-port.ts';

/** User of a port, compared by identity. */
export interface PortUser extends GuestName {
  sendPort(message: ToGuest): void;
}

interface Use {
  readonly user: PortUser;
  readonly abort: AbortController;
  device: SerialPort | null;
  port: HostPort | null;
  settings: OpenSettings | null;
  isOpening: boolean;
  isLost: boolean;
  /**
   * Cancels the return of the port to the host's session. Set while the guest has closed the port and may still
   * reopen it.
   */
  cancelRelease: (() => void) | null;
  closing: Promise<void>;
}

interface PortUsesOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly bench: BenchAccess;
  readonly tap: (port: number, lane: Lane, bytes: Uint8Array, time: number) => void;
  readonly changed: () => void;
}

const openAnswers: Readonly<Record<OpenError['code'], Answer>> = {
  busy: 'busy',
  'permission-denied': 'permission-denied',
  'device-gone': 'no-device',
  'bad-settings': 'bad-settings',
  'open-failed': 'open-failed',
};

export class PortUses {
  readonly #options: PortUsesOptions;
  readonly #uses = new Map<number, Use>();

  constructor(options: PortUsesOptions) {
    this.#options = options;
  }

  userOf(number: number): PortUser | null {
    return this.#uses.get(number)?.user ?? null;
  }

  /** Returns the settings with which a guest has opened the port; null if none has. */
  settingsOf(number: number): OpenSettings | null {
    return this.#uses.get(number)?.settings ?? null;
  }

  /** Returns this user's open port; null if it has none. */
  portOf(number: number, user: PortUser): HostPort | null {
    const use = this.#uses.get(number);
    return use?.user === user ? use.port : null;
  }

  portsOf(user: PortUser): readonly number[] {
    return [...this.#uses].filter(([, use]) => use.user === user).map(([number]) => number);
  }

  async open(number: number, user: PortUser, fields: SettingsFields, window: number): Promise<Answer> {
    const use = await this.#useFor(number, user);
    if (use === null) {
      return 'busy';
    }
    try {
      use.device ??= await this.#options.bench.acquire(number, user);
      use.abort.signal.throwIfAborted();
      use.port = await this.#openDevice(number, use, use.device, fields, window);
      return 'done';
    } catch (error) {
      return error instanceof OpenError
        ? openAnswers[error.code]
        : errorName(error) === 'AbortError'
          ? 'aborted'
          : 'busy';
    } finally {
      use.isOpening = false;
      if (use.abort.signal.aborted) {
        this.#giveBack(number, use);
      } else if (use.port === null) {
        use.settings = null;
        this.#releaseLater(number, use);
      }
      this.#options.changed();
    }
  }

  /**
   * Closes the port but keeps it for its user for a while, because the guest may open it again soon. A second close
   * gives it back at once.
   */
  async close(number: number, user: PortUser): Promise<Answer> {
    const use = this.#uses.get(number);
    if (use?.user !== user || use.isOpening) {
      return 'not-open';
    }
    const { port } = use;
    if (port === null) {
      await use.closing;
      if (use.cancelRelease !== null) {
        this.#giveBack(number, use);
      }
      return 'done';
    }
    use.port = null;
    use.settings = null;
    use.closing = port.close(false);
    await use.closing;
    if (use.port === null && !use.isOpening) {
      this.#releaseLater(number, use);
    }
    this.#options.changed();
    return 'done';
  }

  /** Ends a use at once. The board's release is played, and the host's session gets the port back. */
  end(number: number, why: PortEnd): void {
    const use = this.#uses.get(number);
    if (use === undefined) {
      return;
    }
    use.cancelRelease?.();
    use.abort.abort(new DOMException('The port was taken back.', 'AbortError'));
    use.user.sendPort({ kind: 'lost', port: number, end: why });
    if (!use.isOpening) {
      const { port } = use;
      use.port = null;
      use.closing = use.closing.then(() => port?.close(true));
      void use.closing.then(() => this.#giveBack(number, use));
    }
    this.#options.changed();
  }

  /**
   * Reserves the port for opening: waits until the previous one is closed and sets `isOpening`. A device that failed
   * or was taken back is returned after its close; the next use then acquires the current device.
   *
   * @returns The use; null if the port is open, is being opened, or has another user.
   */
  async #useFor(number: number, user: PortUser): Promise<Use | null> {
    for (;;) {
      const use = this.#uses.get(number) ?? this.#begin(number, user);
      if (use.user !== user || use.isOpening || use.port !== null) {
        return null;
      }
      use.cancelRelease?.();
      use.cancelRelease = null;
      use.isOpening = true;
      await use.closing;
      if (this.#uses.get(number) === use) {
        return use;
      }
      use.isOpening = false;
    }
  }

  #begin(number: number, user: PortUser): Use {
    const use: Use = {
      user,
      abort: new AbortController(),
      device: null,
      port: null,
      settings: null,
      isOpening: false,
      isLost: false,
      cancelRelease: null,
      closing: Promise.resolve(),
    };
    this.#uses.set(number, use);
    return use;
  }

  #openDevice(number: number, use: Use, device: SerialPort, fields: SettingsFields, window: number): Promise<HostPort> {
    const { clock, limits, bench, tap } = this.#options;
    const settings = {
      ...fields,
      dataBits: fields.dataBits === '7' ? 7 : 8,
      stopBits: fields.stopBits === '2' ? 2 : 1,
    } as const;
    use.settings = settings;
    return openHostPort(
      {
        clock,
        limits,
        number,
        device,
        settings,
        window: Math.min(window, limits.window),
        send: (message) => {
          if (!use.abort.signal.aborted) {
            use.user.sendPort(message);
          }
        },
        passed: (lane, bytes) => {
          const time = clock.wallTime();
          tap(number, lane, bytes, time);
          bench.passed(number, lane, bytes, time);
        },
        hiddenLine: (count) => bench.hidden?.line(count) ?? new Uint8Array(0),
        typed: (count) => bench.passedKeys?.(number, count),
        ended: () => this.#lost(number, use),
      },
      use.abort.signal,
    );
  }

  /** Ends a use whose device is gone. The board comes back as another device. */
  #lost(number: number, use: Use): void {
    const { port } = use;
    use.port = null;
    use.settings = null;
    use.isLost = true;
    use.closing = port?.close(false) ?? Promise.resolve();
    void use.closing.then(() => this.#giveBack(number, use));
  }

  #releaseLater(number: number, use: Use): void {
    const { clock, limits } = this.#options;
    use.cancelRelease ??= clock.schedule(limits.reopen, () => this.#giveBack(number, use));
  }

  #giveBack(number: number, use: Use): void {
    if (this.#uses.get(number) === use) {
      use.cancelRelease?.();
      this.#uses.delete(number);
      if (use.device !== null) {
        this.#options.bench.release(number, use.isLost);
      }
      this.#options.changed();
    }
  }
}
