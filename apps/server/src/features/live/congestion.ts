/**
 * Back-pressure of one room: decides which senders have to pause while too many bytes wait for its host or for other
 * processes.
 */
import type { Clock } from '@wirebench/clock';
import { encodeLive, hostNumber, type LiveMessage, leftReasons } from '@wirebench/contract/live';
import type { LiveConnection } from './live-connection.ts';
import type { RoomChannel } from './room-bus.ts';
import type { RoomGuests } from './room-guests.ts';

export interface CongestionOptions {
  readonly clock: Clock;
  readonly guests: RoomGuests;
  readonly channel: RoomChannel;
  /** Returns all connections of the room at this process. */
  readonly connections: () => readonly LiveConnection[];
}

/** Bytes that may wait for the host before guests have to pause. */
const HOST_CONGESTED = 262_144;
/** Milliseconds that a sender is not read. The congestion is checked again at its next message. */
const PAUSE = 50;

/** Sent only to other processes: their guests have to pause, because too many bytes wait for the host. */
const NOTICE = encodeLive('left', hostNumber, Uint8Array.of(leftReasons.tooSlow));

/** Returns true for a notice of the host's process that guests have to pause. */
export function isCongestionNotice({ kind, guest }: LiveMessage): boolean {
  return kind === 'left' && guest === hostNumber;
}

export class Congestion {
  readonly #options: CongestionOptions;
  /** Time of the last notice, in milliseconds since the Unix epoch. */
  #noticedAt = 0;

  constructor(options: CongestionOptions) {
    this.#options = options;
  }

  /**
   * Pauses all guests here if too many bytes wait for `host`. If only the sender paused, each other guest could send
   * one more message.
   */
  relieveHost(host: LiveConnection): void {
    if (host.waiting > HOST_CONGESTED) {
      this.slowGuests();
    }
  }

  /** Pauses guests at other processes by sending them a notice. */
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

  /** Pauses all connections of this room if too many of its bytes wait for other processes. */
  relieveBus(isCongested: boolean): void {
    if (isCongested) {
      for (const connection of this.#options.connections()) {
        connection.slowDown(PAUSE);
      }
    }
  }
}
