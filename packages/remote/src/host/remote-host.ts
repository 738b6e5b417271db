/**
 * The side of a shared bench with the boards. It serves guests, shows them the traffic and enforces each guest's
 * rights. Sharing ends by itself after eight hours, or half an hour after the last guest has left.
 */
import { everyone, expelReasonLimit, type LiveMessage } from '@wirebench/contract/live';
import { type MessageOf, nameWithin, type Right, type VisitEnd } from '../frames/messages.ts';
import type { Lane } from '../frames/tap-records.ts';
import { type Limits, limits as usualLimits } from '../limits.ts';
import { OrderedWork } from '../ordered-work.ts';
import { RelayLink } from '../relay-link.ts';
import { RemoteError, remoteFailureOf } from '../remote-failure.ts';
import { type SealingCrypto, webCrypto } from '../sealing/sealing-crypto.ts';
import { readSecret } from '../sealing/secret.ts';
import { textWithin } from '../text-within.ts';
import type { SharedPort } from './bench-access.ts';
import { EarlierLines } from './earlier-lines.ts';
import type { HostStatus, RemoteHostOptions } from './host-status.ts';
import { KnownGuests } from './known-guests.ts';
import { OfferedPorts } from './offered-ports.ts';
import { PeopleSender } from './people-sender.ts';
import { PortUses } from './port-uses.ts';
import { SharingEnd } from './sharing-end.ts';
import { TapLog } from './tap-log.ts';
import { TapSender } from './tap-sender.ts';
import { type TypingGuest, TypistSender } from './typist-sender.ts';
import { Visit, visitId } from './visit.ts';
import { Visitor } from './visitor.ts';

interface Entry {
  readonly visitor: Visitor;
  visit: Visit | null;
}

/**
 * Connections beyond `limits.guests` that may still complete the handshake, so that they can be informed that the
 * bench is full.
 */
const refusalsAtOnce = 64;

export class RemoteHost {
  readonly #options: RemoteHostOptions;
  readonly #limits: Limits;
  readonly #crypto: SealingCrypto;
  readonly #secret: Uint8Array;
  readonly #relay: RelayLink;
  readonly #outbox = new OrderedWork();
  readonly #ports = new OfferedPorts();
  readonly #entries = new Map<number, Entry>();
  readonly #visits = new Map<string, Visit>();
  readonly #people: PeopleSender;
  readonly #typists: TypistSender;
  readonly #uses: PortUses;
  readonly #tap: TapLog;
  readonly #known = new KnownGuests(usualLimits.guests);
  readonly #earlier: EarlierLines;
  readonly #tapSender: TapSender;
  readonly #end: SharingEnd;
  #cancelPorts: (() => void) | null = null;
  #ended: HostStatus['why'] | 'stopped' = null;

  /** @throws RemoteError with `wrong-key` if the secret is invalid. */
  constructor(options: RemoteHostOptions) {
    const { clock, dial, bench, limits = usualLimits, crypto = webCrypto } = options;
    this.#options = options;
    this.#limits = limits;
    this.#crypto = crypto;
    this.#secret = readSecret(options.secret);
    this.#tap = new TapLog(limits);
    this.#earlier = new EarlierLines({
      clock,
      limits,
      bench,
      tap: this.#tap,
      ports: () => this.#ports.numbers,
      guests: () => this.#visits.size,
    });
    this.#earlier.isShown = options.showsEarlier ?? false;
    this.#people = new PeopleSender({ clock, visits: () => this.#visits.values(), ports: () => this.#ports.numbers });
    this.#typists = new TypistSender({ clock, visits: () => this.#visits });
    this.#uses = new PortUses({
      clock,
      limits,
      bench,
      tap: (port, lane, bytes, time) => this.tapped(port, lane, bytes, time),
      changed: () => this.#portsChanged(),
    });
    const link = { clock, limits, dial, random: () => (crypto.random(1)[0] ?? 0) / 255 };
    this.#relay = new RelayLink(link, {
      up: () => this.#up(),
      down: () => this.#down(),
      message: (message) => this.#take(message),
      ended: (why) => this.#finish(why),
    });
    this.#tapSender = new TapSender({
      clock,
      limits,
      crypto,
      log: this.#tap,
      isReady: () => this.#relay.isUp && this.#relay.buffered <= limits.linkBuffered,
      send: (makeFrame) => this.#post(everyone, makeFrame),
    });
    this.#end = new SharingEnd({ clock, limits, over: (why) => this.#stop(why) }, options.lasts ?? limits.room);
    this.#relay.start();
  }

  get status(): HostStatus {
    const why = this.#ended === 'stopped' ? null : this.#ended;
    const { isUp, downSince } = this.#relay;
    return {
      state: this.#ended !== null ? 'ended' : isUp ? 'sharing' : downSince === null ? 'connecting' : 'away',
      awaySince: downSince,
      why,
      endsAt: this.#end.at,
      guests: [...this.#visits.values()].map((visit) => this.#ports.statusOf(visit, this.#uses)),
    };
  }

  /**
   * Sets the description of a port.
   * @param shared Null: the port is no longer shared.
   */
  setPort(port: number, shared: SharedPort | null): void {
    this.#ports.set(port, shared);
    if (shared === null) {
      this.#uses.end(port, 'taken-back');
    }
    this.#portsChanged();
  }

  /**
   * Takes bytes that the host's own session has received or sent, in order. Bytes that pass while a guest uses the
   * port are added by the host itself.
   *
   * @param time Milliseconds since the Unix epoch.
   */
  tapped(port: number, lane: Lane, bytes: Uint8Array, time: number): void {
    if (this.#ended === null) {
      this.#tap.add(port, lane, bytes, time);
      this.#tapSender.wake();
    }
  }

  /**
   * Names the guest who sent the newest line to the port. Guests see `words` beside that line.
   *
   * @param time Milliseconds since the Unix epoch.
   */
  signed(port: number, words: string, time: number): void {
    if (this.#ended === null) {
      this.#tap.sign(port, words, time);
      this.#tapSender.wake();
    }
  }

  /** Sets the guests that type key by key now. Informs all guests. */
  setTypists(typing: readonly TypingGuest[]): void {
    if (this.#ended === null) {
      this.#typists.set(typing);
    }
  }

  /** Raises or lowers a guest's right to a port. A use that the new right does not allow ends at once. */
  setRight(guest: string, port: number, right: Right): void {
    this.#visits.get(guest)?.setRight(port, right);
    this.#portsChanged();
  }

  /** Refuses the guest's request. */
  refuse(guest: string, port: number): void {
    this.#visits.get(guest)?.asks.refuse(port);
    this.#portsChanged();
  }

  /** Ends the use of a port. Its user keeps the right to type. */
  takeBack(port: number): void {
    const user = this.#uses.userOf(port);
    if (user instanceof Visit) {
      this.setRight(user.id, port, 'type');
    }
  }

  /** Ends a guest's visit. From now on no bytes are sent to it or accepted from it, even if the relay disobeys. */
  expel(guest: string, reason = ''): void {
    const visit = this.#visits.get(guest);
    if (visit !== undefined) {
      this.#dismiss(visit, 'expelled', reason);
    }
  }

  /** Sets whether guests who join from now on see the newest lines from before they joined. */
  showEarlier(isShown: boolean): void {
    this.#earlier.isShown = isShown;
  }

  /**
   * Sets the time at which sharing ends by itself.
   * @param lasts Milliseconds since sharing began, at most `limits.room`.
   */
  endAfter(lasts: number): void {
    if (this.#ended === null) {
      this.#end.after(lasts);
      this.#portsChanged();
    }
  }

  /** Ends sharing for all guests. The link stops working. */
  stop(): void {
    this.#stop('stopped');
  }

  #stop(why: 'stopped' | 'expired' | 'empty'): void {
    if (this.#ended === null) {
      this.#relay.send('end', 0);
      this.#finish(why);
    }
  }

  #finish(why: HostStatus['why'] | 'stopped'): void {
    if (this.#ended !== null) {
      return;
    }
    this.#ended = why;
    for (const visit of this.#visits.values()) {
      visit.end();
    }
    for (const { visitor } of this.#entries.values()) {
      visitor.close();
    }
    this.#visits.clear();
    this.#entries.clear();
    this.#tapSender.stop();
    this.#people.stop();
    this.#typists.stop();
    this.#end.stop();
    this.#cancelPorts?.();
    this.#relay.close();
    this.#options.onChange();
  }

  #up(): void {
    this.#relay.settle();
    for (const { presence } of this.#visits.values()) {
      presence.hostBack();
    }
    this.#tapSender.wake();
    this.#options.onChange();
  }

  /** Closes all connections. The relay informs the guests; they send a new hello when the host is back. */
  #down(): void {
    for (const { visitor, visit } of this.#entries.values()) {
      visitor.close();
      visit?.disconnect();
    }
    this.#entries.clear();
    for (const { presence } of this.#visits.values()) {
      presence.hostAway();
    }
    this.#options.onChange();
  }

  #take({ kind, guest, payload }: LiveMessage): void {
    if (kind === 'joined') {
      this.#leave(guest);
      this.#entryOf(guest);
    } else if (kind === 'left') {
      this.#leave(guest);
    } else if (kind === 'data') {
      this.#entryOf(guest)?.visitor.take(payload);
    }
  }

  #leave(guest: number): void {
    const entry = this.#entries.get(guest);
    if (entry !== undefined) {
      this.#entries.delete(guest);
      entry.visitor.finish();
      entry.visit?.disconnect();
      this.#options.onChange();
    }
  }

  #entryOf(guest: number): Entry | null {
    const known = this.#entries.get(guest);
    if (known !== undefined) {
      return known;
    }
    if (this.#entries.size >= this.#limits.guests + refusalsAtOnce) {
      this.#relay.send('expel', guest, textWithin('The shared bench is full.', expelReasonLimit));
      return null;
    }
    const { clock } = this.#options;
    const options = { clock, limits: this.#limits, crypto: this.#crypto, secret: this.#secret };
    const visitor = new Visitor(options, {
      proved: (prove) => {
        if (this.#entries.get(guest) === entry) {
          this.#proved(guest, entry, prove);
        }
      },
      message: (message) => entry.visit?.receive(message),
      broken: () => {
        if (this.#entries.get(guest) === entry) {
          entry.visit?.disconnect();
          entry.visit = null;
          this.#options.onChange();
        }
      },
      flooding: () => this.#throwOut(guest, entry),
      send: (makeFrame) => this.#post(guest, makeFrame),
    });
    const entry: Entry = { visitor, visit: null };
    this.#entries.set(guest, entry);
    return entry;
  }

  #proved(number: number, entry: Entry, prove: MessageOf<'prove'>): void {
    const id = visitId(prove.guest);
    const known = this.#visits.get(id);
    if (known === undefined && this.#visits.size >= this.#limits.guests) {
      entry.visitor.send({ kind: 'refuse', reason: 'too-many' });
      return;
    }
    const visit = known ?? this.#newVisit(id, prove.name);
    // The same guest has a new connection. Frames of its old connection are ignored.
    for (const other of this.#entries.values()) {
      if (other !== entry && other.visit === visit) {
        other.visit = null;
        other.visitor.close();
      }
    }
    visit.disconnect();
    visit.name = prove.name;
    entry.visit = visit;
    this.#visits.set(id, visit);
    this.#relay.send('admit', number);
    entry.visitor.send({
      kind: 'accept',
      isNew: known === undefined,
      host: nameWithin(this.#options.name),
      received: visit.received,
      tapFrame: this.#tap.head,
      lanes: this.#tap.places,
      endsIn: this.#end.left,
    });
    entry.visitor.send({ kind: 'tapKey', ...this.#tapSender.key });
    try {
      visit.connect(number, (plain) => entry.visitor.transmit(plain), known === undefined ? 0 : prove.received);
    } catch (error) {
      if (remoteFailureOf(error) === 'malformed') {
        this.#dismiss(visit, 'fell-behind', '');
        return;
      }
      throw error;
    }
    this.#ports.send(visit, this.#uses, this.#end.left);
    this.#people.send(visit);
    this.#typists.send(visit);
    this.#guestsChanged();
  }

  #newVisit(id: string, name: string): Visit {
    const { clock, bench } = this.#options;
    const visit: Visit = new Visit(id, name, {
      clock,
      limits: this.#limits,
      uses: this.#uses,
      tap: this.#tap,
      known: this.#known,
      earlier: this.#earlier,
      canHide: bench.hidden !== undefined,
      type: async (port, bytes, kind) => {
        if (!this.#ports.has(port)) {
          throw new RemoteError('not-allowed');
        }
        if (kind === 'hidden') {
          if (bench.hidden === undefined) {
            throw new RemoteError('not-allowed');
          }
          await bench.hidden.send(port, bytes, visit);
        } else if (kind === 'keys' && bench.typeKeys) {
          await bench.typeKeys(port, bytes, visit);
        } else {
          await bench.type(port, bytes, visit);
        }
      },
      changed: () => {
        this.#ports.send(visit, this.#uses, this.#end.left);
        this.#options.onChange();
      },
      typistsWanted: () => this.#typists.send(visit),
      statusChanged: () => this.#options.onChange(),
      over: (why) => this.#dismiss(visit, why, ''),
    });
    return visit;
  }

  /**
   * Ends a visit and its connection. An expelled guest also loses its remembered rights, and the tap gets a new key.
   */
  #dismiss(visit: Visit, why: VisitEnd | 'left', reason: string): void {
    const { number } = visit;
    const entry = number === null ? undefined : this.#entries.get(number);
    visit.end();
    this.#visits.delete(visit.id);
    if (number !== null && entry !== undefined) {
      this.#throwOut(number, entry, reason);
    }
    if (why === 'expelled') {
      this.#known.forget(visit);
      this.#renewTapKey();
    }
    this.#guestsChanged();
  }

  #throwOut(number: number, entry: Entry, reason = ''): void {
    this.#entries.delete(number);
    entry.visitor.close();
    entry.visit?.disconnect();
    this.#relay.send('expel', number, textWithin(reason, expelReasonLimit));
  }

  #renewTapKey(): void {
    this.#tapSender.renewKey();
    for (const { visitor, visit } of this.#entries.values()) {
      if (visit !== null) {
        visitor.send({ kind: 'tapKey', ...this.#tapSender.key });
      }
    }
  }

  #guestsChanged(): void {
    if (this.#ended === null) {
      this.#end.guestsChanged(this.#visits.size);
    }
    this.#portsChanged();
  }

  /** Sends the list of ports once for all changes of one turn. */
  #portsChanged(): void {
    this.#options.onChange();
    if (this.#ended === null) {
      this.#people.changed();
      this.#cancelPorts ??= this.#options.clock.schedule(0, () => {
        this.#cancelPorts = null;
        for (const visit of this.#visits.values()) {
          this.#ports.send(visit, this.#uses, this.#end.left);
        }
      });
    }
  }

  #post(guest: number, makeFrame: () => Promise<Uint8Array<ArrayBuffer> | null>): void {
    this.#outbox.add(async () => {
      const frame = await makeFrame();
      if (frame !== null) {
        this.#relay.send('data', guest, frame);
      }
    });
  }
}
