/**
 * Waiting for a device that vanished to come back, and telling whether one that appears is it. A browser tells vendor and
 * product only, no serial number: so it is the same object again, or the only newcomer of the same kind. In doubt nothing
 * is opened, and the person is asked.
 */
import type { Clock } from '@wirebench/clock';
import type { OpenFailure } from './port/open-failure.ts';

/** How long a device that vanished is waited for, in milliseconds. */
export const reconnectPeriod = 60_000;
/** The first and the longest pause between two attempts to open a device that came back, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

/** `unclear`: a person has to say which device it is. `over`: the wait ended, or the newcomer went again. */
export type ReopenOutcome = 'opened' | 'unclear' | 'over';

export class ReconnectWait {
  readonly #clock: Clock;
  readonly #lost: SerialPort;
  readonly #candidates = new Set<SerialPort>();
  readonly #over = new AbortController();
  readonly #cancelDeadline: () => void;
  #trying = false;
  #asked = false;

  /** @param expired called when the period is over and nobody ended the wait before. */
  constructor(clock: Clock, lost: SerialPort, expired: () => void) {
    this.#clock = clock;
    this.#lost = lost;
    this.#cancelDeadline = clock.schedule(reconnectPeriod, expired);
  }

  /** Aborts when the wait ends, for whatever reason. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether `device` is the very object that was lost. */
  isLost(device: SerialPort): boolean {
    return device === this.#lost;
  }

  /** Whether `device` is of the kind that was lost. */
  resembles(device: SerialPort): boolean {
    const lost = this.#lost.getInfo();
    const { usbVendorId, usbProductId } = device.getInfo();
    return usbVendorId !== undefined && usbVendorId === lost.usbVendorId && usbProductId === lost.usbProductId;
  }

  /** Notes a newcomer that resembles the lost one. True when it is the only one that is still there. */
  addCandidate(device: SerialPort): boolean {
    this.#candidates.add(device);
    return this.#isSingle();
  }

  /** Opens `device` by `attempt`, which gives null when it is open, as often as there is hope. */
  async reopen(device: SerialPort, attempt: () => Promise<OpenFailure | null>): Promise<ReopenOutcome> {
    if (this.#trying) {
      return 'over';
    }
    this.#trying = true;
    try {
      // The system may need a moment to make a device that was just plugged in ready for everybody.
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

  /** True the first time: a person is asked once in a wait. */
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

/** The side of a session that a device which appears is offered to. */
interface Waiting {
  readonly wait: ReconnectWait | null;
  holds(device: SerialPort): boolean;
  reopen(device: SerialPort): Promise<void>;
  askToPick(): void;
}

/** Gives a device that newly appeared to the session that waits for it, if it can be told which one that is. */
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
