/**
 * The relay of shared benches: admits hosts and guests, holds this process's part of each room, and reports it to the
 * directory.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '@wirebench/clock';
import type { LiveCaller } from '@wirebench/contract';
import { encodeLive, encodeWelcome, hostNumber, liveProtocol } from '@wirebench/contract/live';
import type { WebSocket } from 'ws';
import { SharedStoreUnavailableError } from '../../storage/shared-store.ts';
import { LiveConnection } from './live-connection.ts';
import { hashOf, newToken, readResumeToken, resumeTokenOf } from './live-tokens.ts';
import type { CutReason, LiveTraffic } from './live-traffic.ts';
import { OwnerShares } from './owner-shares.ts';
import { RelayRoom } from './relay-room.ts';
import type { RoomBus } from './room-bus.ts';
import { liveTimes, type RoomDirectory } from './room-directory.ts';

export interface LiveLimits {
  /** Simultaneous rooms of one user. */
  readonly rooms: number;
  /** Simultaneous guests of one room. */
  readonly guests: number;
  /** Connections of one address to this process. */
  readonly connections: number;
  /** Bytes per second that one connection may send. */
  readonly rate: number;
  /** Bytes per second that one room may send to its guests at this process. */
  readonly fanout: number;
}

export interface RelayOptions {
  readonly clock: Clock;
  readonly directory: RoomDirectory;
  readonly bus: RoomBus;
  /** Name of this process for the others. */
  readonly process: string;
  readonly limits: LiveLimits;
  readonly traffic: LiveTraffic;
  /** Connections of this process in all. Default: 10,000. */
  readonly capacity?: number;
  readonly onFailure: (error: unknown) => void;
}

export interface Caller {
  readonly socket: WebSocket;
  readonly wire: Socket;
  /** Key of the room. */
  readonly key: string;
  readonly caller: LiveCaller;
  /** Key by which the address is counted. */
  readonly address: string;
}

/** Bytes that may wait for a guest: some seconds of a busy bench. */
const GUEST_WAITING = 524_288;
/** Bytes that may wait for a host, whose guests may all send at once. */
const HOST_WAITING = 4_194_304;
/** Bytes that may wait for all connections together. Beyond that, the slowest are cut. */
const ALL_WAITING = 134_217_728;
/** Bytes per second that a guest may send before admission: enough to prove that it knows the key. */
const RATE_BEFORE_ADMISSION = 16_384;
/** Connections of this process in all. */
const CAPACITY = 10_000;
/** Milliseconds between two checks of the waiting bytes. */
const SWEEP = 1_000;

export class Relay implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #rooms = new Map<string, RelayRoom>();
  readonly #ofAddress = new Map<string, number>();
  readonly #capacity: number;
  readonly #shares: OwnerShares;
  #connections = 0;
  #isStopping = false;
  /** Periodic work. It runs only while there are rooms. */
  readonly #repeated: readonly Repeated[] = [
    { interval: liveTimes.presence, work: () => void this.#reportPresence(), cancel: null },
    { interval: liveTimes.ping, work: () => this.#ping(), cancel: null },
    { interval: SWEEP, work: () => this.#sweep(), cancel: null },
  ];

  constructor(options: RelayOptions) {
    this.#options = options;
    const { bus, capacity = CAPACITY } = options;
    this.#capacity = capacity;
    this.#shares = new OwnerShares(capacity);
    bus.onLost((process) => {
      for (const room of [...this.#rooms.values()]) {
        room.lose(process);
      }
    });
    bus.onBack(() => void this.#reportPresence());
  }

  /** True: hosts and guests may be admitted. */
  get isUp(): boolean {
    return this.#options.bus.isUp;
  }

  /** Takes over a WebSocket that has just been opened. */
  async connect({ socket, wire, key, caller, address }: Caller): Promise<void> {
    const { clock, traffic, limits } = this.#options;
    const isHost = caller !== null && 'host' in caller;
    const connection = new LiveConnection({
      socket,
      wire,
      clock,
      traffic,
      rate: isHost ? limits.rate : Math.min(limits.rate, RATE_BEFORE_ADMISSION),
      maxWaiting: isHost ? HOST_WAITING : GUEST_WAITING,
    });
    if (socket.readyState !== socket.OPEN) {
      // The peer closed while the request was being checked.
      return;
    }
    this.#count(address, socket);
    const ofAddress = this.#ofAddress.get(address) ?? 0;
    if (this.#isStopping || !this.isUp) {
      connection.cut('restart');
    } else if (ofAddress > limits.connections || this.#connections > this.#capacity) {
      connection.cut('too-many');
    } else {
      // No message is allowed before the welcome.
      connection.listen(
        () => connection.cut('malformed'),
        () => undefined,
      );
      try {
        await (isHost
          ? this.#enterHost(key, caller.host, connection)
          : this.#enterGuest(key, caller, connection, socket));
      } catch (error) {
        if (!(error instanceof SharedStoreUnavailableError)) {
          this.#options.onFailure(error);
        }
        connection.cut('restart');
      }
    }
  }

  /** Ends a room at all processes. */
  async end(key: string, owner: string): Promise<void> {
    const { bus, directory } = this.#options;
    const end = encodeLive('end', hostNumber);
    this.#rooms.get(key)?.cutAll('ended');
    try {
      await directory.remove({ key, owner });
    } finally {
      // Cuts connections that were admitted during the removal.
      this.#rooms.get(key)?.cutAll('ended');
      bus.send(key, 'host', end);
      bus.send(key, 'guests', end);
    }
  }

  /** Closes all connections. Their clients may reconnect, to another process or to this one after its restart. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const room of [...this.#rooms.values()]) {
      room.cutAll('restart');
    }
    await Promise.allSettled(this.#directoryCalls);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const repeated of this.#repeated) {
      repeated.cancel?.();
    }
  }

  async #enterHost(key: string, token: string, connection: LiveConnection): Promise<void> {
    const { directory, process } = this.#options;
    const room = this.#roomOf(key);
    const hash = hashOf(token);
    await room.enter('host', async () => {
      const place = await directory.enterHost(key, hash, process);
      if (place === null || place === 'wrong-token') {
        connection.cut(place === null ? 'no-such-room' : 'not-allowed');
      } else if (room.isOver) {
        connection.cut('ended');
      } else if (this.#mayStay(connection)) {
        connection.send(encodeWelcome({ protocol: liveProtocol, you: hostNumber, resume: '' }));
        const { owner, expiresAt } = place.room;
        room.addHost(connection, { key, owner, token: hash, expiresAt }, place);
        this.#countRooms();
      } else {
        this.#callDirectory(directory.leaveHost(key, place.turn));
      }
    });
  }

  async #enterGuest(
    key: string,
    caller: Exclude<LiveCaller, { host: string }>,
    connection: LiveConnection,
    socket: WebSocket,
  ): Promise<void> {
    const { directory, limits } = this.#options;
    const resume = caller === null ? null : readResumeToken(caller.resume);
    const secret = newToken();
    const room = this.#roomOf(key);
    await room.enter('guests', async () => {
      const place = await directory.enterGuest(key, hashOf(secret), resume, limits.guests);
      if (place === null || place === 'full') {
        connection.cut(place === null ? 'no-such-room' : 'too-many');
      } else if (room.isOver) {
        connection.cut('ended');
      } else if (this.#mayStay(connection) && this.#takeShare(connection, socket, place.room.owner)) {
        const kept = place.isResumed && resume !== null ? resume.secret : secret;
        const { number } = place;
        const welcome = { protocol: liveProtocol, you: number, resume: resumeTokenOf(number, kept) } as const;
        connection.send(encodeWelcome(welcome));
        room.addGuest(connection, hashOf(kept), place);
        this.#countRooms();
      } else {
        this.#callDirectory(directory.leaveGuest(key, place.number, !place.isResumed));
      }
    });
  }

  /** Returns true if the connection is still open after an await. Cuts it if the relay is stopping. */
  #mayStay(connection: LiveConnection): boolean {
    if (this.#isStopping) {
      connection.cut('restart');
    }
    return connection.isOpen;
  }

  /** Takes a place for a guest of the owner. Cuts the connection and returns false if no place is free. */
  #takeShare(connection: LiveConnection, socket: WebSocket, owner: string): boolean {
    const giveBack = this.#shares.take(owner, this.#connections);
    if (giveBack === null) {
      connection.cut('too-many');
      return false;
    }
    socket.once('close', giveBack);
    return true;
  }

  #roomOf(key: string): RelayRoom {
    const { clock, bus, limits, directory } = this.#options;
    const known = this.#rooms.get(key);
    if (known !== undefined) {
      return known;
    }
    const room: RelayRoom = new RelayRoom({
      key,
      clock,
      bus,
      fanout: limits.fanout,
      guestRate: limits.rate,
      onEnd: () => this.#callDirectory(this.end(key, room.owner)),
      onHostGone: (turn) => this.#callDirectory(directory.leaveHost(key, turn)),
      onGuestGone: (number, forGood) => this.#callDirectory(directory.leaveGuest(key, number, forGood)),
      onUnused: () => this.#rooms.delete(key),
    });
    this.#rooms.set(key, room);
    for (const repeated of this.#repeated) {
      this.#repeat(repeated);
    }
    return room;
  }

  readonly #directoryCalls = new Set<Promise<void>>();

  /** Runs a call to the directory in the background. If Redis is unavailable, the entries expire by themselves. */
  #callDirectory(answer: Promise<unknown>): void {
    const call: Promise<void> = answer
      .then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof SharedStoreUnavailableError)) {
            this.#options.onFailure(error);
          }
        },
      )
      .finally(() => this.#directoryCalls.delete(call));
    this.#directoryCalls.add(call);
  }

  async #reportPresence(): Promise<void> {
    for (const room of [...this.#rooms.values()]) {
      const presence = room.presence();
      if (presence !== null && this.isUp) {
        this.#callDirectory(
          this.#options.directory.keep(presence).then((isMine) => {
            if (!isMine) {
              room.replaceHost();
            }
          }),
        );
      }
    }
  }

  #count(address: string, socket: WebSocket): void {
    this.#connections++;
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      this.#connections--;
      const left = (this.#ofAddress.get(address) ?? 1) - 1;
      if (left === 0) {
        this.#ofAddress.delete(address);
      } else {
        this.#ofAddress.set(address, left);
      }
      this.#countRooms();
    });
  }

  #countRooms(): void {
    const { traffic } = this.#options;
    const rooms = [...this.#rooms.values()];
    traffic.rooms = rooms.length;
    traffic.hosts = rooms.filter(({ hasHost }) => hasHost).length;
    traffic.guests = rooms.reduce((sum, { guestCount }) => sum + guestCount, 0);
  }

  #ping(): void {
    for (const room of [...this.#rooms.values()]) {
      for (const connection of room.connections()) {
        connection.ping();
      }
    }
  }

  /**
   * Limits the bytes that wait for all connections together. Each may be within its own limit and the sum still be
   * too large.
   */
  #sweep(): void {
    const connections = [...this.#rooms.values()].flatMap((room) => room.connections());
    let waiting = connections.reduce((sum, connection) => sum + connection.waiting, 0);
    if (waiting > ALL_WAITING) {
      for (const connection of connections.toSorted((one, other) => other.waiting - one.waiting)) {
        if (waiting <= ALL_WAITING) {
          return;
        }
        waiting -= connection.waiting;
        connection.cut('too-slow' satisfies CutReason);
      }
    }
  }

  #repeat(repeated: Repeated): void {
    repeated.cancel ??= this.#options.clock.schedule(repeated.interval, () => {
      repeated.cancel = null;
      if (this.#rooms.size > 0) {
        repeated.work();
        this.#repeat(repeated);
      }
    });
  }
}

interface Repeated {
  /** Milliseconds. */
  readonly interval: number;
  readonly work: () => void;
  cancel: (() => void) | null;
}

/** Returns eight random bytes in hex digits. */
export function newProcessName(): string {
  return randomBytes(8).toString('hex');
}
