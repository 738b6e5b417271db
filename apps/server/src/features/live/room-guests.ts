/**
 * The guests of a shared bench that are connected to this process: who has been admitted, what they are sent, what they may send. Knows
 * neither the host nor other processes.
 */
import type { Clock } from '@wirebench/clock';
import { decodeLive, expelReasonLimit, hostNumber, leftReasons } from '@wirebench/contract/live';
import { frameOf, type LiveConnection, messageLimits } from './live-connection.ts';
import type { CutReason } from './live-traffic.ts';
import { liveTimes } from './room-directory.ts';

/** Why a connection is not there any more. */
export type Ending = CutReason | 'closed' | 'lost';

interface Guest {
  readonly connection: LiveConnection;
  readonly number: number;
  readonly tokenHash: string;
  isAdmitted: boolean;
  /** Bytes before it was admitted. */
  early: number;
  cancelAdmission: () => void;
}

export interface RoomGuestsOptions {
  readonly clock: Clock;
  /** Bytes a second that an admitted guest may send. */
  readonly rate: number;
  /** Takes an envelope with the guest's number in it. */
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

  /** Numbers of all, with what they would come back with. */
  tokens(): ReadonlyMap<number, string> {
    return new Map([...this.#guests.values()].map(({ number, tokenHash }) => [number, tokenHash]));
  }

  /** Number and whether it has been admitted. */
  roster(): readonly (readonly [number: number, isAdmitted: boolean])[] {
    return [...this.#guests.values()].map(({ number, isAdmitted }) => [number, isAdmitted]);
  }

  /** Takes the place of a connection that had this number before. */
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

  /** What the host says to one of them: something sealed, that it is admitted, that it has to go. */
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

  /** Sends it to those who have been admitted. Returns how many bytes that were. */
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

  /** What concerns everybody, admitted or not. */
  tell(message: Uint8Array): void {
    const frame = frameOf(message);
    for (const { connection } of this.#guests.values()) {
      connection.sendFrame(frame);
    }
  }

  /** Reads nothing of any of them for so many milliseconds. */
  slowDown(pause: number): void {
    for (const { connection } of this.#guests.values()) {
      connection.slowDown(pause);
    }
  }

  /** Whoever the host does not admit in time has to go: one of them, or all. */
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

  /** There is nobody who could admit them. */
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

  /** Before it is admitted: many of them could otherwise send the host more than it can take. */
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

/** Whether the guest's number is not kept for it. */
export function endsForGood(ending: Ending): boolean {
  return ending === 'expelled' || ending === 'not-allowed' || ending === 'not-admitted';
}

/** The byte of a `left`. */
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

/** What an expelled guest is told; nothing when it is no text or too long. */
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
