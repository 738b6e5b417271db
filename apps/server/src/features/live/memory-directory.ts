/** Rooms of a single process, in memory. They end with the process. */
import type { Clock } from '@wirebench/clock';
import {
  type FoundRoom,
  type GuestPlace,
  type HostPlace,
  liveTimes,
  type NewRoom,
  type Presence,
  type ResumeToken,
  type RoomDirectory,
} from './room-directory.ts';

interface Guest {
  readonly hash: string;
  /**
   * Time of the clock's `now` at which the number becomes free; infinite while the guest is connected.
   */
  until: number;
}

interface Room extends NewRoom {
  hostProcess: string | null;
  turn: number;
  /** End of the wait for an absent host, as a time of the clock's `now`. */
  waitsUntil: number;
  emptySince: number | null;
  lastNumber: number;
  readonly guests: Map<number, Guest>;
}

export class MemoryDirectory implements RoomDirectory {
  readonly isShared = false;
  readonly #clock: Clock;
  readonly #rooms = new Map<string, Room>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async add(room: NewRoom, most: number): Promise<boolean> {
    // No await between check and insertion, so that simultaneous calls see each other.
    if (this.#keysOf(room.owner).length >= most) {
      return false;
    }
    this.#rooms.set(room.key, {
      ...room,
      hostProcess: null,
      turn: 0,
      waitsUntil: this.#clock.now() + liveTimes.host,
      emptySince: null,
      lastNumber: 0,
      guests: new Map(),
    });
    return true;
  }

  async find(key: string): Promise<FoundRoom | null> {
    const room = this.#get(key);
    return room === null ? null : this.#found(room);
  }

  async enterHost(key: string, token: string, process: string): Promise<HostPlace | 'wrong-token' | null> {
    const room = this.#get(key);
    if (room === null || room.token !== token) {
      return room === null ? null : 'wrong-token';
    }
    room.hostProcess = process;
    const guests = connectedOf(room);
    return { room: this.#found(room), turn: ++room.turn, emptySince: room.emptySince, guests };
  }

  async leaveHost(key: string, turn: number): Promise<void> {
    const room = this.#get(key);
    if (room !== null && room.turn === turn) {
      room.hostProcess = null;
      room.waitsUntil = this.#clock.now() + liveTimes.host;
    }
  }

  async enterGuest(
    key: string,
    hash: string,
    resume: ResumeToken | null,
    most: number,
  ): Promise<GuestPlace | 'full' | null> {
    const room = this.#get(key);
    if (room === null) {
      return null;
    }
    const known = resume === null ? undefined : room.guests.get(resume.number);
    if (resume !== null && known?.hash === resume.hash && known.until > this.#clock.now()) {
      known.until = Infinity;
      return { room: this.#found(room), number: resume.number, isResumed: true };
    }
    this.#forget(room);
    if (connectedOf(room) >= most) {
      return 'full';
    }
    const number = ++room.lastNumber;
    room.guests.set(number, { hash, until: Infinity });
    return { room: this.#found(room), number, isResumed: false };
  }

  async leaveGuest(key: string, number: number, forGood: boolean): Promise<void> {
    const guests = this.#get(key)?.guests;
    const guest = guests?.get(number);
    if (forGood) {
      guests?.delete(number);
    } else if (guest !== undefined) {
      guest.until = this.#clock.now() + liveTimes.resume;
    }
  }

  async keep({ room: { key }, emptySince }: Presence): Promise<boolean> {
    const room = this.#get(key);
    if (room !== null) {
      room.emptySince = emptySince;
    }
    return true;
  }

  async remove({ key }: { readonly key: string }): Promise<void> {
    this.#rooms.delete(key);
  }

  async roomsOf(owner: string): Promise<readonly string[]> {
    return this.#keysOf(owner);
  }

  #keysOf(owner: string): readonly string[] {
    return (
      [...this.#rooms.values()]
        // Reading each room also removes the expired ones.
        .filter((room) => this.#get(room.key) !== null && room.owner === owner)
        .map(({ key }) => key)
    );
  }

  #get(key: string): Room | null {
    const room = this.#rooms.get(key);
    if (
      room === undefined ||
      this.#clock.wallTime() >= room.expiresAt ||
      (room.hostProcess === null && this.#clock.now() >= room.waitsUntil)
    ) {
      this.#rooms.delete(key);
      return null;
    }
    return room;
  }

  #found({ owner, expiresAt, hostProcess, waitsUntil }: Room): FoundRoom {
    return { owner, expiresAt, hostProcess, wait: Math.max(0, waitsUntil - this.#clock.now()) };
  }

  /** Removes the numbers of guests that did not return in time. */
  #forget({ guests }: Room): void {
    const now = this.#clock.now();
    for (const [number, { until }] of guests) {
      if (until <= now) {
        guests.delete(number);
      }
    }
  }
}

function connectedOf({ guests }: Room): number {
  return [...guests.values()].filter(({ until }) => until === Infinity).length;
}
