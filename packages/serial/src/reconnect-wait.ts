/**
 * Waits for a device that vanished, and decides if a device that appears is the same one. A browser exposes vendor
 * and product only, no serial number. The device is therefore recognised as the same object, by the name that a
 * system gives to its port, or as the only newcomer of the same kind. In doubt no device is opened, and the person is asked.
 */
import type { Clock } from '@wirebench/clock';
import { type OpenFailure, portNameOf } from '@wirebench/port';

/** Longest wait for a device that vanished, in milliseconds. */
export const reconnectPeriod = 60_000;
/** First and longest pause between two attempts to open a device that came back, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

/**
 * Result of a reopen. `unclear`: a person must pick the device. `over`: the wait ended, or the newcomer went away
 * again.
 */
export type ReopenOutcome = 'opened' | 'unclear' | 'over';

export class ReconnectWait {
  readonly #clock: Clock;
  readonly #lost: SerialPort;
  readonly #candidates = new Set<SerialPort>();
  readonly #over = new AbortController();
  readonly #cancelDeadline: () => void;
  #trying = false;
  #asked = false;

  /** @param expired Called when the period is over and the wait has not ended before. */
  constructor(clock: Clock, lost: SerialPort, expired: () => void) {
    this.#clock = clock;
    this.#lost = lost;
    this.#cancelDeadline = clock.schedule(reconnectPeriod, expired);
  }

  /** Aborts when the wait ends, for any reason. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Returns true if `device` is the same object as the lost one, or has the same name of a port. */
  isLost(device: SerialPort): boolean {
    const name = portNameOf(device);
    return device === this.#lost || (name !== null && name === portNameOf(this.#lost));
  }

  /** Returns true if `device` has the same vendor and product as the lost one. */
  resembles(device: SerialPort): boolean {
    const lost = this.#lost.getInfo();
    const { usbVendorId, usbProductId } = device.getInfo();
    return usbVendorId !== undefined && usbVendorId === lost.usbVendorId && usbProductId === lost.usbProductId;
  }

  /** Adds a newcomer that resembles the lost device. Returns true if it is the only one that is still present. */
  addCandidate(device: SerialPort): boolean {
    this.#candidates.add(device);
    return this.#isSingle();
  }

  /** Opens `device` by `attempt`, which returns null on success. Retries while the device is busy. */
  async reopen(device: SerialPort, attempt: () => Promise<OpenFailure | null>): Promise<ReopenOutcome> {
    if (this.#trying) {
      return 'over';
    }
    this.#trying = true;
    try {
      // The system may need a moment until a newly plugged device can be opened.
      for (let pause = FIRST_PAUSE; !this.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        const failure = await attempt();
        if (failure === null) {
          return 'opened';
        }
        if (failure !== 'busy') {
          return failure === 'device-gone' ? 'over' : 'unclear';
        }
        if (!this.isLost(device) && !this.#isSingle()) {
          return 'unclear';
        }
        await this.#clock.sleep(pause, this.signal).catch(() => undefined);
      }
      return 'over';
    } finally {
      this.#trying = false;
    }
  }

  /** Returns true on the first call: a person is asked once per wait. */
  ask(): boolean {
    const first = !this.#asked;
    this.#asked = true;
    return first;
  }

  end(): void {
    this.#cancelDeadline();
    this.#over.abort();
  }

  #isSingle(): boolean {
    for (const candidate of this.#candidates) {
      if (candidate.connected === false) {
        this.#candidates.delete(candidate);
      }
    }
    return this.#candidates.size === 1;
  }
}

/** The part of a session that receives devices as they appear. */
interface Waiting {
  readonly wait: ReconnectWait | null;
  holds(device: SerialPort): boolean;
  reopen(device: SerialPort): Promise<void>;
  askToPick(): void;
}

/**
 * Offers a device that has appeared to the session that waits for it, if that session can be identified. Otherwise
 * the person is asked.
 */
export function offerDevice(sessions: readonly Waiting[], device: SerialPort): void {
  if (sessions.some((session) => session.holds(device))) {
    return;
  }
  const owner = sessions.find(({ wait }) => wait?.isLost(device));
  if (owner !== undefined) {
    void owner.reopen(device);
    return;
  }
  const alike = sessions.filter(({ wait }) => wait?.resembles(device));
  const single = alike.map(({ wait }) => wait?.addCandidate(device)).every(Boolean);
  const [first] = alike;
  if (alike.length === 1 && single) {
    void first?.reopen(device);
    return;
  }
  for (const session of alike) {
    session.askToPick();
  }
}
