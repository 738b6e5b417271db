/**
 * State of shared benches that all processes share: rooms, access of hosts, numbers of guests. Rooms are stored by a
 * hash of their id, hosts and guests by hashes of their tokens. A reader of the directory cannot enter a room with
 * them.
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
  /** The process that the host is connected to; null while the host is absent. */
  readonly hostProcess: string | null;
  /** Remaining milliseconds for an absent host to return. */
  readonly wait: number;
}

/** A host that was let in. A higher turn replaces a lower one. */
export interface HostPlace {
  readonly room: FoundRoom;
  readonly turn: number;
  /**
   * Time at which the last guest left, in milliseconds since the Unix epoch. Null while there are guests and before
   * the first one.
   */
  readonly emptySince: number | null;
  /** Number of guests connected to the room, at any process. */
  readonly guests: number;
}

export interface GuestPlace {
  readonly room: FoundRoom;
  readonly number: number;
  /** True: the guest returned with its token. */
  readonly isResumed: boolean;
}

/** The values by which a guest reclaims its number. */
export interface ResumeToken {
  readonly number: number;
  readonly hash: string;
}

/** A process's part of a room. It is reported at intervals, so that entries of a dead process expire. */
export interface Presence {
  readonly room: NewRoom;
  /** Null if the host is at another process. */
  readonly turn: number | null;
  readonly emptySince: number | null;
  /** The guests that are connected here, with the hashes of their tokens. */
  readonly guests: ReadonlyMap<number, string>;
}

export interface RoomDirectory {
  /** True: other processes may serve the same rooms. */
  readonly isShared: boolean;
  /**
   * Adds a room. Returns false if the owner already has `most` rooms. The room expires after a minute unless its host
   * connects.
   */
  add(room: NewRoom, most: number): Promise<boolean>;
  find(key: string): Promise<FoundRoom | null>;
  /** Lets a host in. Returns null if there is no such room. */
  enterHost(key: string, token: string, process: string): Promise<HostPlace | 'wrong-token' | null>;
  /** Records that the host has left and may return. Has no effect if another host has replaced it. */
  leaveHost(key: string, turn: number): Promise<void>;
  /**
   * Lets a guest in, with its old number if `resume` is valid. `hash` is that of a new guest's token. Returns null if
   * there is no such room.
   */
  enterGuest(key: string, hash: string, resume: ResumeToken | null, most: number): Promise<GuestPlace | 'full' | null>;
  /** Releases a guest's place. Its number stays reserved for a while, unless `forGood`. */
  leaveGuest(key: string, number: number, forGood: boolean): Promise<void>;
  /** Refreshes the entries. Returns false if another host has replaced the local one. */
  keep(presence: Presence): Promise<boolean>;
  remove(room: { readonly key: string; readonly owner: string }): Promise<void>;
  /** Returns the keys of the owner's rooms. */
  roomsOf(owner: string): Promise<readonly string[]>;
}

/** Milliseconds. */
export const liveTimes = {
  /** Wait for a host that has not come yet, or has left. */
  host: 60_000,
  /** Time for which a guest's number stays reserved. */
  resume: 60_000,
  /** Maximum lifetime of a room. */
  room: 8 * 3_600_000,
  /** Lifetime of a room after its last guest has left. */
  empty: 1_800_000,
  /** Time within which a connected guest has to be admitted. */
  admission: 10_000,
  /** Interval of pings. A peer that has not answered one before the next is lost. */
  ping: 20_000,
  /**
   * Interval at which a process reports its part of rooms. Entries that are not refreshed for three intervals expire.
   */
  presence: 10_000,
} as const;
