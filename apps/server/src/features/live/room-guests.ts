/**
 * The guests of a shared bench that are connected to this process: their admission, and the messages to and from
 * them.
 */
import type { Clock } from '@wirebench/clock';
import { decodeLive, expelReasonLimit, hostNumber, leftReasons } from '@wirebench/contract/live';
import { frameOf, type LiveConnection, messageLimits } from './live-connection.ts';
import type { CutReason } from './live-traffic.ts';
import { liveTimes } from './room-directory.ts';

/** Reason for the end of a connection. */
export type Ending = CutReason | 'closed' | 'lost';

interface Guest {
  readonly connection: LiveConnection;
  readonly number: number;
  readonly tokenHash: string;
  isAdmitted: boolean;
  /** Bytes received before admission. */
  early: number;
  cancelAdmission: () => void;
}

export interface RoomGuestsOptions {
  readonly clock: Clock;
  /** Bytes per second that an admitted guest may send. */
  readonly rate: number;
  /** Receives an envelope that carries the guest's number. */
  readonly onData: (envelope: Uint8Array) => void;
  readonly onGone: (number: number, reason: Ending) => void;
}

export class RoomGuests {
  readonly #options: RoomGuestsOptions;
  readonly #guests = new Map<number, Guest>();

  constructor(options: RoomGuestsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#guests.size;
  }

  get hasAdmitted(): boolean {
    return [...this.#guests.values()].some(({ isAdmitted }) => isAdmitted);
  }

  has(number: number): boolean {
    return this.#guests.has(number);
  }

  connections(): readonly LiveConnection[] {
    return [...this.#guests.values()].map(({ connection }) => connection);
  }

  /** Numbers of all guests, with the hashes of their resume tokens. */
  tokens(): ReadonlyMap<number, string> {
    return new Map([...this.#guests.values()].map(({ number, tokenHash }) => [number, tokenHash]));
  }

  /** Returns number and admission of each guest. */
  roster(): readonly (readonly [number: number, isAdmitted: boolean])[] {
    return [...this.#guests.values()].map(({ number, isAdmitted }) => [number, isAdmitted]);
  }

  /** Adds a guest. An earlier connection with this number is replaced. */
  add(number: number, connection: LiveConnection, tokenHash: string): void {
    const before = this.#guests.get(number);
    const guest: Guest = {
      connection,
      number,
      tokenHash,
      isAdmitted: false,
      early: 0,
      cancelAdmission: () => undefined,
    };
    this.#guests.set(number, guest);
    before?.cancelAdmission();
    before?.connection.cut('replaced');
    connection.listen(
      (message) => this.#receive(guest, message),
      (reason) => this.#close(guest, reason),
    );
  }

  /** Handles a message of the host to one guest: sealed data, admission or expulsion. */
  apply(envelope: Uint8Array): void {
    const message = decodeLive(envelope);
    const guest = message === null ? undefined : this.#guests.get(message.guest);
    if (message === null || guest === undefined) {
      return;
    }
    if (message.kind === 'data') {
      guest.connection.send(envelope);
    } else if (message.kind === 'admit') {
      guest.isAdmitted = true;
      guest.cancelAdmission();
      guest.connection.changeRate(this.#options.rate);
    } else if (message.kind === 'expel') {
      guest.connection.cut('expelled', reasonOf(message.payload));
    }
  }

  /** Sends an envelope to all admitted guests. Returns the number of bytes sent. */
  broadcast(envelope: Uint8Array): number {
    const frame = frameOf(envelope);
    let sent = 0;
    for (const { isAdmitted, connection } of this.#guests.values()) {
      if (isAdmitted) {
        connection.sendFrame(frame);
        sent += frame.length;
      }
    }
    return sent;
  }

  /** Sends a message to all guests, admitted or not. */
  tell(message: Uint8Array): void {
    const frame = frameOf(message);
    for (const { connection } of this.#guests.values()) {
      connection.sendFrame(frame);
    }
  }

  /** Reads nothing from any guest for `pause` milliseconds. */
  slowDown(pause: number): void {
    for (const { connection } of this.#guests.values()) {
      connection.slowDown(pause);
    }
  }

  /**
   * Starts the time within which the host has to admit a guest, or each waiting guest. Guests that are not admitted
   * in time are cut.
   */
  awaitAdmission(number?: number): void {
    for (const guest of this.#guests.values()) {
      if (!guest.isAdmitted && (number === undefined || number === guest.number)) {
        guest.cancelAdmission();
        guest.cancelAdmission = this.#options.clock.schedule(liveTimes.admission, () =>
          guest.connection.cut('not-admitted'),
        );
      }
    }
  }

  /** Stops that time, because no host is present to admit guests. */
  stopAwaiting(): void {
    for (const guest of this.#guests.values()) {
      guest.cancelAdmission();
    }
  }

  cut(number: number, reason: CutReason): void {
    this.#guests.get(number)?.connection.cut(reason);
  }

  #receive(guest: Guest, bytes: Uint8Array): void {
    const message = decodeLive(bytes);
    if (message?.kind !== 'data' || message.guest !== hostNumber) {
      guest.connection.cut('malformed');
    } else if (!guest.isAdmitted && !this.#mayStillSay(guest, bytes.length)) {
      guest.connection.cut('not-allowed');
    } else {
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(1, guest.number, true);
      this.#options.onData(bytes);
    }
  }

  /** Limits messages before admission. Otherwise many guests could send the host more than it can process. */
  #mayStillSay(guest: Guest, size: number): boolean {
    guest.early += size;
    return size <= messageLimits.beforeAdmission && guest.early <= messageLimits.allBeforeAdmission;
  }

  #close(guest: Guest, reason: Ending): void {
    guest.cancelAdmission();
    if (this.#guests.get(guest.number) === guest) {
      this.#guests.delete(guest.number);
      this.#options.onGone(guest.number, reason);
    }
  }
}

/** Returns true if the guest's number does not stay reserved. */
export function endsForGood(ending: Ending): boolean {
  return ending === 'expelled' || ending === 'not-allowed' || ending === 'not-admitted';
}

/** Returns the reason byte of a `left` message. */
export function leftReasonOf(ending: Ending): number {
  switch (ending) {
    case 'closed':
      return leftReasons.closed;
    case 'expelled':
      return leftReasons.expelled;
    case 'too-slow':
      return leftReasons.tooSlow;
    case 'idle':
      return leftReasons.idle;
    default:
      return leftReasons.lost;
  }
}

/** Returns the text for an expelled guest; empty if it is too long or not UTF-8. */
function reasonOf(payload: Uint8Array): string {
  if (payload.length > expelReasonLimit) {
    return '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    return '';
  }
}
