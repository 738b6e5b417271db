/**
 * This process's part of one shared bench: its host, or some of its guests, or both. It passes envelopes on and never
 * reads the sealed content.
 */
import {
  decodeGone,
  decodeLive,
  encodeGone,
  encodeLive,
  everyone,
  hostNumber,
  type LiveMessage,
  leftReasons,
} from '@wirebench/contract/live';
import { ByteBudget } from './byte-budget.ts';
import { Congestion, isCongestionNotice } from './congestion.ts';
import { FarGuests } from './far-guests.ts';
import { frameLength, type LiveConnection } from './live-connection.ts';
import { type BusEnd, RoomChannel } from './room-bus.ts';
import {
  type FoundRoom,
  type GuestPlace,
  type HostPlace,
  liveTimes,
  type NewRoom,
  type Presence,
} from './room-directory.ts';
import { type Ending, endsForGood, leftReasonOf, RoomGuests } from './room-guests.ts';
import type { RoomOptions } from './room-options.ts';
import { RoomTimers } from './room-timers.ts';

interface Host {
  readonly connection: LiveConnection;
  readonly turn: number;
  /** Restores the room if the directory has lost it. */
  readonly record: NewRoom;
}

const ADMITTED = Uint8Array.of(1);

export class RelayRoom {
  readonly #options: RoomOptions;
  readonly #fanout: ByteBudget;
  readonly #guests: RoomGuests;
  readonly #channel: RoomChannel;
  #host: Host | null = null;
  readonly #elsewhere = new FarGuests();
  readonly #congestion: Congestion;
  /** Process of a remote host; null also while that process is unknown. */
  #hostProcess: string | null = null;
  #isHostAway = true;
  readonly #timers: RoomTimers;
  #owner = '';
  /** Number of connections that are being admitted to the room. */
  #entering = 0;
  isOver = false;

  constructor(options: RoomOptions) {
    const { clock, fanout, guestRate: rate } = options;
    this.#options = options;
    this.#fanout = new ByteBudget(fanout, clock.now());
    this.#channel = new RoomChannel(options.bus, options.key, (end, sender, bytes) => this.#hear(end, sender, bytes));
    this.#timers = new RoomTimers(clock, options.onEnd, () => this.cutAll('ended'));
    this.#guests = new RoomGuests({
      clock,
      rate,
      onData: (envelope) => this.#toHost(envelope),
      onGone: (number, reason) => this.#guestGone(number, reason),
    });
    this.#congestion = new Congestion({
      clock,
      guests: this.#guests,
      channel: this.#channel,
      connections: () => this.connections(),
    });
  }

  get owner(): string {
    return this.#owner;
  }

  connections(): readonly LiveConnection[] {
    const host = this.#host === null ? [] : [this.#host.connection];
    return [...host, ...this.#guests.connections()];
  }

  get hasHost(): boolean {
    return this.#host !== null;
  }

  get guestCount(): number {
    return this.#guests.count;
  }

  /** Returns the state that is reported to the directory at intervals; null if nothing has to be reported. */
  presence(): Presence | null {
    if (this.#host === null && this.#guests.count === 0) {
      return null;
    }
    return {
      room: this.#host?.record ?? { key: this.#options.key, owner: this.#owner, token: '', expiresAt: 0 },
      turn: this.#host?.turn ?? null,
      emptySince: this.#timers.emptySince,
      guests: this.#guests.tokens(),
    };
  }

  /**
   * Keeps the room while `work` admits a connection. It listens to the other processes first, so that no message of
   * theirs is lost.
   */
  async enter(end: BusEnd, work: () => Promise<void>): Promise<void> {
    this.#entering++;
    try {
      for (const part of end === 'host' ? (['host', 'guests'] as const) : (['guests'] as const)) {
        await this.#channel.listen(part);
      }
      await work();
    } finally {
      this.#entering--;
      this.#leaveUnused();
    }
  }

  /** Adds the host. An earlier connection of the host is replaced. */
  addHost(connection: LiveConnection, record: NewRoom, { turn, emptySince, guests }: HostPlace): void {
    const before = this.#host;
    this.#host = { connection, turn, record };
    before?.connection.cut('replaced');
    this.#owner = record.owner;
    this.#timers.expireAt(record.expiresAt);
    connection.listen(
      (message) => this.#fromHost(message),
      () => this.#hostGone(connection),
    );
    this.#elsewhere.expect(guests - this.#guests.count - this.#elsewhere.numbers.length, this.#options.clock.now());
    for (const number of [...this.#guests.tokens().keys(), ...this.#elsewhere.numbers]) {
      connection.send(encodeLive('joined', number));
    }
    this.#hostThere(null);
    this.#channel.send('guests', encodeLive('back', turn));
    this.#timers.startWatching(emptySince);
    this.#watchEmpty();
  }

  addGuest(connection: LiveConnection, tokenHash: string, { number, room, isResumed }: GuestPlace): void {
    this.#guests.add(number, connection, tokenHash);
    this.#owner = room.owner;
    this.#timers.expireAt(room.expiresAt);
    if (this.#host !== null) {
      this.#elsewhere.leave(number);
      this.#host.connection.send(encodeLive('joined', number));
    } else {
      this.#believe(room);
      this.#channel.send('host', encodeLive('joined', number));
    }
    if (isResumed) {
      // Another connection with this number belongs to the same guest.
      this.#channel.send('guests', encodeLive('welcome', number));
    }
    if (this.#isHostAway) {
      connection.send(encodeGone(this.#timers.wait));
    } else {
      this.#guests.awaitAdmission(number);
    }
  }

  /** Handles the loss of another process, or of all of them for null. */
  lose(process: string | null): void {
    if (this.#host !== null) {
      for (const number of this.#elsewhere.lose(process)) {
        this.#host.connection.send(encodeLive('left', number, Uint8Array.of(leftReasons.lost)));
      }
      this.#watchEmpty();
    } else if (process === null) {
      // The guests' host is unreachable, and they would miss its messages.
      this.cutAll('restart');
    } else if (process === this.#hostProcess) {
      this.#hostAway(liveTimes.host);
    }
  }

  cutAll(reason: 'ended' | 'restart'): void {
    if (reason === 'ended') {
      this.isOver = true;
      this.#guests.tell(encodeLive('end', hostNumber));
    }
    for (const connection of this.connections()) {
      connection.cut(reason);
    }
  }

  /** Cuts the local host, because another connection has replaced it. */
  replaceHost(): void {
    this.#host?.connection.cut('replaced');
  }

  #fromHost(bytes: Uint8Array): void {
    const message = decodeLive(bytes);
    if (this.#host === null) {
      return;
    }
    const isToGuest = message !== null && message.guest !== hostNumber && message.guest !== everyone;
    if (message?.kind === 'data' && message.guest === everyone) {
      this.#broadcast(bytes, this.#host.connection);
    } else if (message?.kind === 'end') {
      this.#options.onEnd();
    } else if (isToGuest && (message.kind === 'data' || message.kind === 'admit' || message.kind === 'expel')) {
      this.#toGuest(message, bytes);
    } else {
      this.#host.connection.cut('malformed');
    }
  }

  /** Sends a message to all admitted guests. The host is slowed to the rate of the process with most guests. */
  #broadcast(bytes: Uint8Array, from: LiveConnection): void {
    const { clock } = this.#options;
    const now = clock.now();
    const sentHere = this.#guests.broadcast(bytes);
    const sentThere = frameLength(bytes.length) * this.#elsewhere.largestAudience;
    if (this.#elsewhere.mayListen(now)) {
      this.#congestion.relieveBus(this.#channel.send('guests', bytes));
    }
    from.slowDown(this.#fanout.take(Math.max(sentHere, sentThere), now));
  }

  /** Sends a message to one guest, which may be at another process or have left. */
  #toGuest({ kind, guest: number }: LiveMessage, bytes: Uint8Array): void {
    if (!this.#elsewhere.has(number)) {
      this.#guests.apply(bytes);
    } else {
      this.#congestion.relieveBus(this.#channel.send('guests', bytes));
      if (kind === 'admit') {
        this.#elsewhere.admit(number);
      } else if (kind === 'expel') {
        this.#elsewhere.leave(number);
        this.#host?.connection.send(encodeLive('left', number, Uint8Array.of(leftReasons.expelled)));
      }
    }
    if (kind !== 'data') {
      this.#watchEmpty();
    }
  }

  /** Sends a message of a local guest to the host. */
  #toHost(bytes: Uint8Array): void {
    const connection = this.#host?.connection;
    if (connection !== undefined) {
      connection.send(bytes);
      this.#congestion.relieveHost(connection);
    } else if (!this.#isHostAway) {
      this.#congestion.relieveBus(this.#channel.send('host', bytes));
    }
  }

  #hear(end: BusEnd, sender: string, bytes: Uint8Array): void {
    const message = decodeLive(bytes);
    if (message?.kind === 'end') {
      this.cutAll('ended');
    } else if (message !== null && end === 'host') {
      this.#hearGuest(sender, message, bytes);
    } else if (message !== null) {
      this.#hearHost(sender, message, bytes);
    }
  }

  /** Handles a message of a guest at another process. */
  #hearGuest(process: string, { kind, guest: number, payload }: LiveMessage, bytes: Uint8Array): void {
    const host = this.#host;
    const isTheirs = this.#elsewhere.isAt(number, process);
    if (host === null) {
      return;
    }
    if (kind === 'joined') {
      this.#elsewhere.join(number, { process, isAdmitted: payload[0] === 1 });
      host.connection.send(encodeLive('joined', number));
      this.#watchEmpty();
    } else if (kind === 'left' && isTheirs) {
      this.#elsewhere.leave(number);
      host.connection.send(bytes);
      this.#watchEmpty();
    } else if (kind === 'data' && isTheirs) {
      // Messages of an expelled or moved guest are dropped.
      host.connection.send(bytes);
      this.#congestion.relieveHostElsewhere(host.connection);
    }
  }

  /** Handles a message of the host at another process, or of the process that has taken over a guest's number. */
  #hearHost(process: string, message: LiveMessage, bytes: Uint8Array): void {
    const { kind, guest: number, payload } = message;
    if (kind === 'welcome') {
      this.#guests.cut(number, 'replaced');
    } else if (kind === 'back') {
      // In this message the number is the host's turn.
      if (this.#host === null || this.#host.turn < number) {
        this.#hostElsewhere(process);
      }
    } else if (this.#host !== null || process !== this.#hostProcess) {
      return;
    } else if (kind === 'gone') {
      this.#hostAway(decodeGone(payload) ?? liveTimes.host);
    } else if (kind === 'data' && number === everyone) {
      this.#guests.broadcast(bytes);
    } else if (isCongestionNotice(message)) {
      this.#congestion.slowGuests();
    } else {
      this.#guests.apply(bytes);
    }
  }

  #hostElsewhere(process: string): void {
    this.replaceHost();
    this.#channel.expect(process);
    for (const [number, isAdmitted] of this.#guests.roster()) {
      this.#channel.send('host', encodeLive('joined', number, isAdmitted ? ADMITTED : undefined));
    }
    this.#hostThere(process);
  }

  /** @param process The host's process; null for this one. */
  #hostThere(process: string | null): void {
    this.#hostProcess = process;
    this.#timers.hostCame();
    if (this.#isHostAway) {
      this.#isHostAway = false;
      this.#guests.tell(encodeLive('back', hostNumber));
    }
    this.#guests.awaitAdmission();
  }

  #hostGone(connection: LiveConnection): void {
    const host = this.#host;
    if (host?.connection !== connection) {
      return;
    }
    this.#host = null;
    this.#elsewhere.clear();
    this.#timers.stopWatching();
    if (!this.isOver) {
      this.#options.onHostGone(host.turn);
      this.#channel.send('guests', encodeGone(liveTimes.host));
      this.#hostAway(liveTimes.host);
    }
    this.#leaveUnused();
  }

  #hostAway(wait: number): void {
    this.#hostProcess = null;
    this.#isHostAway = true;
    this.#timers.waitForHost(wait);
    this.#guests.tell(encodeGone(wait));
    this.#guests.stopAwaiting();
  }

  /** Uses the directory's state of the host, unless messages of other processes already gave a newer one. */
  #believe({ hostProcess, wait }: FoundRoom): void {
    if (this.#hostProcess !== null || this.#timers.wait > 0) {
      return;
    }
    this.#hostProcess = hostProcess;
    this.#isHostAway = hostProcess === null;
    if (hostProcess === null) {
      this.#timers.waitForHost(wait);
    } else {
      this.#channel.expect(hostProcess);
    }
  }

  #guestGone(number: number, reason: Ending): void {
    if (reason !== 'replaced' && !this.isOver) {
      this.#options.onGuestGone(number, endsForGood(reason));
      const left = encodeLive('left', number, Uint8Array.of(leftReasonOf(reason)));
      if (this.#host !== null) {
        this.#host.connection.send(left);
      } else {
        this.#channel.send('host', left);
      }
    }
    this.#watchEmpty();
    this.#leaveUnused();
  }

  #watchEmpty(): void {
    if (this.#host !== null) {
      this.#timers.watchGuests(this.#guests.hasAdmitted || this.#elsewhere.hasAdmitted);
    }
  }

  #leaveUnused(): void {
    if (this.#entering > 0 || this.#host !== null) {
      return;
    }
    this.#channel.stop('host');
    if (this.#guests.count === 0) {
      this.#channel.stop('guests');
      this.#timers.stop();
      this.#options.onUnused();
    }
  }
}
