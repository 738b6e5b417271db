/**
 * What all processes know of shared benches: which rooms there are, who may enter as their host, which numbers guests have. Rooms are
 * named by a hash of their id, and hosts and guests by hashes of their tokens: whoever reads it cannot enter with it.
 */

export interface NewRoom {
  /** Hash of the id. */
  readonly key: string;
  /** Hash of the user's `sub`. */
  readonly owner: string;
  /** Hash of the host's token. */
  readonly token: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

export interface FoundRoom {
  readonly owner: string;
  readonly expiresAt: number;
  /** The process that the host is connected to; null while it is waited for. */
  readonly hostProcess: string | null;
  /** Milliseconds for which it is waited from now on. */
  readonly wait: number;
}

/** A host that was let in. The one with the higher turn has taken the place of the other. */
export interface HostPlace {
  readonly room: FoundRoom;
  readonly turn: number;
  /** When the last guest went, in milliseconds since the Unix epoch; null while there are some and before there were any. */
  readonly emptySince: number | null;
  /** Number of guests connected to the room, at any process. */
  readonly guests: number;
}

export interface GuestPlace {
  readonly room: FoundRoom;
  readonly number: number;
  /** Came back with its token. */
  readonly isResumed: boolean;
}

/** What a guest comes back with. */
export interface ResumeToken {
  readonly number: number;
  readonly hash: string;
}

/** What one process has of a room, told again and again, so that what a dead process had goes by itself. */
export interface Presence {
  readonly room: NewRoom;
  /** Null where the host is elsewhere. */
  readonly turn: number | null;
  readonly emptySince: number | null;
  /** The guests that are connected here, with the hashes of their tokens. */
  readonly guests: ReadonlyMap<number, string>;
}

export interface RoomDirectory {
  /** Whether other processes may serve the same rooms. */
  readonly isShared: boolean;
  /** False when the owner has as many as `most` already. It is gone in a minute unless its host comes. */
  add(room: NewRoom, most: number): Promise<boolean>;
  find(key: string): Promise<FoundRoom | null>;
  /** Null: no such room. */
  enterHost(key: string, token: string, process: string): Promise<HostPlace | 'wrong-token' | null>;
  /** The host has gone, and is waited for. Nothing happens when another one has taken its place. */
  leaveHost(key: string, turn: number): Promise<void>;
  /** A place for a guest: its own when `resume` is right. `hash` is of the token that a new guest gets. Null: no such room. */
  enterGuest(key: string, hash: string, resume: ResumeToken | null, most: number): Promise<GuestPlace | 'full' | null>;
  /** Keeps the guest's number for a while, unless it is `forGood`. */
  leaveGuest(key: string, number: number, forGood: boolean): Promise<void>;
  /** False when another host has taken the place of the one that is here. */
  keep(presence: Presence): Promise<boolean>;
  remove(room: { readonly key: string; readonly owner: string }): Promise<void>;
  /** Keys of the owner's rooms. */
  roomsOf(owner: string): Promise<readonly string[]>;
}

/** Milliseconds. */
export const liveTimes = {
  /** For which a host is waited for that has not come yet, or has gone. */
  host: 60_000,
  /** For which a guest's number is kept for it. */
  resume: 60_000,
  /** For which the longest room lasts. */
  room: 8 * 3_600_000,
  /** Without guests, once there were some. */
  empty: 1_800_000,
  /** For which a guest may be connected without having been admitted. */
  admission: 10_000,
  /** Between two pings. Whoever has not answered one until the next is gone. */
  ping: 20_000,
  /** Between two tellings of what a process has; what was not told for three of them is gone. */
  presence: 10_000,
} as const;
