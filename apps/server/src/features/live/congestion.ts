/** Back-pressure of one room: who has to wait while too much waits for its host, or for the way to other processes. */
import type { Clock } from '@wirebench/clock';
import { encodeLive, hostNumber, type LiveMessage, leftReasons } from '@wirebench/contract/live';
import type { LiveConnection } from './live-connection.ts';
import type { RoomChannel } from './room-bus.ts';
import type { RoomGuests } from './room-guests.ts';

export interface CongestionOptions {
  readonly clock: Clock;
  readonly guests: RoomGuests;
  readonly channel: RoomChannel;
  /** Everybody of the room who is connected here. */
  readonly connections: () => readonly LiveConnection[];
}

/** Bytes that may wait for the host before guests have to wait. */
const HOST_CONGESTED = 262_144;
/** Milliseconds that a sender is not read for. It is asked again after that. */
const PAUSE = 50;

/** Goes to other processes only: their guests have to wait, because too much waits for the host. */
const NOTICE = encodeLive('left', hostNumber, Uint8Array.of(leftReasons.tooSlow));

/** Whether the host's process says that guests have to wait. */
export function isCongestionNotice({ kind, guest }: LiveMessage): boolean {
  return kind === 'left' && guest === hostNumber;
}

export class Congestion {
  readonly #options: CongestionOptions;
  /** Milliseconds since the Unix epoch. */
  #noticedAt = 0;

  constructor(options: CongestionOptions) {
    this.#options = options;
  }

  /** Slows all guests here down if too much waits for `host`: each of them could otherwise send one more message. */
  relieveHost(host: LiveConnection): void {
    if (host.waiting > HOST_CONGESTED) {
      this.slowGuests();
    }
  }

  /** The same for guests at other processes, which are told. */
  relieveHostElsewhere(host: LiveConnection): void {
    const { clock, channel } = this.#options;
    const now = clock.now();
    if (host.waiting > HOST_CONGESTED && now - this.#noticedAt >= PAUSE / 2) {
      this.#noticedAt = now;
      channel.send('guests', NOTICE);
    }
  }

  slowGuests(): void {
    this.#options.guests.slowDown(PAUSE);
  }

  /** Reads nothing of this room for a moment if too much of it is on its way to other processes. */
  relieveBus(isCongested: boolean): void {
    if (isCongested) {
      for (const connection of this.#options.connections()) {
        connection.slowDown(PAUSE);
      }
    }
  }
}
