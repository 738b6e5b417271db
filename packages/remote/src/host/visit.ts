/**
 * One guest at the host, from its first proof until it has left: its name, its rights and its requests. The host
 * checks every request against the rights here, because the guest's page is not trusted.
 */
import type { Clock } from '@wirebench/clock';
import { inputBits } from '../frames/input-bits.ts';
import { MessageChannel, type Transmit } from '../frames/message-channel.ts';
import {
  type Answer,
  hostAbilities,
  knowsMore,
  type Message,
  type MessageOf,
  type Numbered,
  type Right,
  rights,
  stepWaitLimit,
  type VisitEnd,
} from '../frames/messages.ts';
import { Receipts } from '../frames/receipts.ts';
import type { LanePlace } from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';
import { RemoteError } from '../remote-failure.ts';
import type { EarlierLines } from './earlier-lines.ts';
import { GuestAsks } from './guest-asks.ts';
import { GuestPresence } from './guest-presence.ts';
import type { HostPort, ToGuest } from './host-port.ts';
import type { KnownGuests } from './known-guests.ts';
import type { PortUser, PortUses } from './port-uses.ts';
import type { TapLog } from './tap-log.ts';

/** Longest time in an answer, in milliseconds: the field has 32 bits. */
const maxTime = 0xffff_ffff;
/** Maximum number of a guest's requests in progress. */
const requestsAtOnce = 256;

type TypingKind = 'type' | 'keys' | 'hidden';
type RequestKind = TypingKind | 'open' | 'close' | 'signals' | 'steps' | 'inputs' | 'drain' | 'answerTime';
type Request = MessageOf<RequestKind>;
type Reply = Answer | { readonly answer: Answer; readonly value: number };

interface VisitOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly uses: PortUses;
  readonly tap: TapLog;
  readonly known: KnownGuests;
  readonly earlier: EarlierLines;
  /** True: the bench keeps hidden bytes out of every log. */
  readonly canHide: boolean;
  /** Sends through the host's session: a message, keys as they are pressed, or a hidden message. */
  readonly type: (port: number, bytes: Uint8Array, kind: TypingKind) => Promise<void>;
  /**
   * Called when the guest's requests, identity or abilities have changed. The guest must then receive the ports
   * again.
   */
  readonly changed: () => void;
  /** Called once, when the guest requests the names of those who type. */
  readonly typistsWanted: () => void;
  /** Called when the guest's status has changed, which concerns only the host's page. */
  readonly statusChanged: () => void;
  /** Called when the guest has been away for too long, has left, or violates the protocol. */
  readonly over: (why: VisitEnd | 'left') => void;
}

export class Visit implements PortUser {
  readonly id: string;
  name: string;
  /** Key that identifies the guest's browser on each of its pages; null until the guest has sent it. */
  person: string | null = null;
  /** Time of the guest's arrival, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** The relay's number of the guest; null while it is away. */
  number: number | null = null;
  readonly asks: GuestAsks;
  readonly presence: GuestPresence;
  readonly #options: VisitOptions;
  readonly #rights = new Map<number, Right>();
  readonly #channel: MessageChannel;
  readonly #receipts: Receipts;
  #requests = 0;
  #knowsMore = false;
  #wantsTypists = false;
  /** Lengths of the lanes when the guest joined; null once it has requested the earlier lines. */
  #came: readonly LanePlace[] | null;
  #cancelAway: (() => void) | null = null;
  #isOver = false;

  constructor(id: string, name: string, options: VisitOptions) {
    this.id = id;
    this.name = name;
    this.#options = options;
    const { limits, clock, tap } = options;
    this.#came = tap.places;
    this.since = clock.wallTime();
    this.asks = new GuestAsks({ clock, limits, changed: options.statusChanged });
    this.presence = new GuestPresence({ clock, limits, changed: options.statusChanged });
    this.#channel = new MessageChannel(limits.unacknowledged, () => options.over('fell-behind'));
    this.#receipts = new Receipts(clock, limits, this.#channel);
  }

  /** True: the guest understands the messages that were added after the first version. */
  get knowsMore(): boolean {
    return this.#knowsMore;
  }

  /** True: the guest has requested the names of those who type. */
  get wantsTypists(): boolean {
    return this.#wantsTypists;
  }

  get received(): number {
    return this.#channel.received;
  }

  rightTo(port: number): Right {
    return this.#rights.get(port) ?? 'watch';
  }

  may(port: number, right: Right): boolean {
    return !this.#isOver && rights.indexOf(this.rightTo(port)) >= rights.indexOf(right);
  }

  /** Sets a right. It takes effect at once: a use that is no longer allowed ends. */
  setRight(port: number, right: Right): void {
    this.#rights.set(port, right);
    this.#options.known.remember(this, this.#rights);
    this.asks.settle(port);
    if (!this.may(port, 'use') && this.#options.uses.userOf(port) === this) {
      this.#options.uses.end(port, 'taken-back');
    }
  }

  /**
   * Starts a connection and sends again the messages that the guest lacks.
   *
   * @throws RemoteError with `malformed`.
   */
  connect(number: number, transmit: Transmit, receivedThere: number): void {
    this.#cancelAway?.();
    this.#cancelAway = null;
    this.number = number;
    this.presence.heard();
    this.#channel.connect(transmit, receivedThere);
    this.#receipts.acknowledged();
    for (const port of this.#options.uses.portsOf(this)) {
      this.#options.uses.portOf(port, this)?.guestBack();
    }
  }

  /** Handles the loss of the connection. The guest may come back within `limits.away`. */
  disconnect(): void {
    this.#channel.disconnect();
    this.#receipts.stop();
    this.number = null;
    if (this.#isOver) {
      return;
    }
    this.presence.lost();
    const { clock, limits, uses, over } = this.#options;
    this.#cancelAway ??= clock.schedule(limits.away, () => over('left'));
    for (const port of uses.portsOf(this)) {
      uses.portOf(port, this)?.guestAway();
    }
  }

  /** Ends the visit. From now on no messages are sent to the guest or accepted from it. */
  end(): void {
    this.#isOver = true;
    this.presence.stop();
    this.asks.stop();
    this.#cancelAway?.();
    this.#channel.disconnect();
    this.#receipts.stop();
    this.number = null;
    for (const port of this.#options.uses.portsOf(this)) {
      this.#options.uses.end(port, 'away');
    }
  }

  send(message: Message): void {
    if (!this.#isOver) {
      this.#channel.send(message);
      this.#receipts.sent();
    }
  }

  sendPort(message: ToGuest): void {
    this.send(message);
  }

  /**
   * Takes a message from the guest.
   *
   * @throws RemoteError for a message that no guest sends.
   */
  receive({ number, message }: Numbered): void {
    if (this.#isOver) {
      return;
    }
    this.presence.heard();
    if (number > 0) {
      this.#receipts.took();
      if (!this.#channel.take(number)) {
        return;
      }
    }
    this.#take(message);
  }

  #take(message: Message): void {
    const { clock, tap, uses, over, changed } = this.#options;
    switch (message.kind) {
      case 'ack':
      case 'ping':
        this.#channel.acknowledge(message.received);
        this.#receipts.acknowledged();
        if (message.kind === 'ping') {
          this.send({ kind: 'pong', received: this.#channel.received, tapFrame: tap.head, time: clock.wallTime() });
        }
        break;
      case 'catchUp':
        this.send({ kind: 'caughtUp', ...tap.since(message.from) });
        break;
      case 'ask':
        if (message.right === knowsMore.right) {
          this.#learn();
        } else if (this.#mayAsk(message.port, message.right) && this.asks.ask(message.port, message.right)) {
          changed();
        }
        break;
      case 'leave':
        over('left');
        break;
      case 'person':
        this.#recognise(visitId(message.key));
        break;
      case 'wantEarlier':
        this.#sendEarlier();
        break;
      case 'wantTypists':
        if (!this.#wantsTypists) {
          this.#wantsTypists = true;
          this.#options.typistsWanted();
        }
        break;
      case 'bytes':
        this.#write(message);
        break;
      case 'areKeys':
        this.#announce(message, (open) => open.areKeys(message.at, message.length));
        break;
      case 'hold':
        this.#announce(message, (open) => open.hold(message.at, message));
        break;
      case 'expect':
        this.#announce(message, (open) => open.expect(message.at, message));
        break;
      case 'credit':
        uses.portOf(message.port, this)?.credit(message.total);
        break;
      case 'stop':
        uses.portOf(message.port, this)?.stop();
        break;
      case 'discard':
        uses.portOf(message.port, this)?.discard();
        break;
      case 'type':
      case 'keys':
      case 'hidden':
      case 'open':
      case 'close':
      case 'signals':
      case 'steps':
      case 'inputs':
      case 'drain':
      case 'answerTime':
        void this.#answer(message);
        break;
      default:
        throw new RemoteError('malformed');
    }
  }

  /**
   * Writes to the guest's port. Bytes for a port that was closed or taken back in between are dropped. Bytes that
   * cannot be the next ones end the visit.
   */
  #write({ port, at, bytes }: MessageOf<'bytes'>): void {
    const open = this.may(port, 'use') ? this.#options.uses.portOf(port, this) : null;
    if (open !== null && !open.write(at, bytes)) {
      this.#options.over('fell-behind');
    }
  }

  #announce({ port }: { readonly port: number }, add: (open: HostPort) => boolean): void {
    const open = this.may(port, 'use') ? this.#options.uses.portOf(port, this) : null;
    if (open !== null && !add(open)) {
      this.#options.over('fell-behind');
    }
  }

  /**
   * Restores the rights of a guest that visited before under the same name. A guest can identify itself once per
   * visit.
   */
  #recognise(person: string): void {
    if (this.person !== null) {
      return;
    }
    this.person = person;
    for (const [port, right] of this.#options.known.rightsOf(this)) {
      if (!this.may(port, right)) {
        this.setRight(port, right);
      }
    }
    if (this.#rights.size > 0) {
      // The host may have given a right before the guest has identified itself.
      this.#options.known.remember(this, this.#rights);
    }
    this.#options.changed();
  }

  /**
   * Returns true if the guest lacks the right, or may use the port but does not have it open. In the second case the
   * host may have the port open, for example in a flasher.
   */
  #mayAsk(port: number, right: Right): boolean {
    const { uses } = this.#options;
    const isFree = (uses.userOf(port) ?? this) === this && uses.portOf(port, this) === null;
    return !this.may(port, right) || (right === 'use' && isFree);
  }

  /** Notes that the guest understands newer messages, and sends the host's abilities. Happens once per visit. */
  #learn(): void {
    if (!this.#knowsMore) {
      this.#knowsMore = true;
      const { expect, person, earlier, keys, hidden, typists } = hostAbilities;
      const { earlier: lines, canHide } = this.#options;
      const bits = expect | person | keys | typists | (lines.isShown ? earlier : 0) | (canHide ? hidden : 0);
      this.send({ kind: 'abilities', bits });
      this.#options.changed();
    }
  }

  /** Sends the earlier lines, once per visit. */
  #sendEarlier(): void {
    for (const message of this.#came === null ? [] : this.#options.earlier.messages(this.#came)) {
      this.send(message);
    }
    this.#came = null;
  }

  async #answer(request: Request): Promise<void> {
    if (++this.#requests > requestsAtOnce) {
      this.#options.over('fell-behind');
      return;
    }
    const isAllowed = this.may(request.port, isTyping(request) ? 'type' : 'use');
    const reply: Reply = isAllowed ? await this.#do(request).catch((): Reply => 'failed') : 'no-right';
    this.#requests--;
    const fields = typeof reply === 'string' ? { answer: reply, value: 0 } : reply;
    this.send({ kind: 'answer', request: request.request, ...fields });
  }

  async #do(request: Request): Promise<Reply> {
    const { uses, type } = this.#options;
    const { port } = request;
    if (isTyping(request)) {
      const used = request.kind === 'hidden' && this.may(port, 'use') ? uses.portOf(port, this) : null;
      if (used !== null) {
        return (await used.writeHidden(request.bytes)) ? 'done' : 'failed';
      }
      await type(port, request.bytes.slice(), request.kind);
      return 'done';
    }
    if (request.kind === 'open') {
      const answer = await uses.open(port, this, request.settings, request.window);
      if (answer === 'done') {
        this.asks.settle(port);
      }
      return answer;
    }
    if (request.kind === 'close') {
      return uses.close(port, this);
    }
    const open = uses.portOf(port, this);
    if (open === null) {
      return 'not-open';
    }
    switch (request.kind) {
      case 'signals': {
        const { dtr, rts, break: hold } = request;
        await open.setLines({
          ...(dtr !== null && { dtr }),
          ...(rts !== null && { rts }),
          ...(hold !== null && { break: hold }),
        });
        return 'done';
      }
      case 'steps': {
        const steps = [...request.steps, ...request.release];
        if (steps.some(({ wait }) => wait > stepWaitLimit)) {
          return 'failed';
        }
        await open.play(request.steps, request.release);
        return 'done';
      }
      case 'inputs': {
        const inputs = await open.inputs();
        const value = inputBits.reduce((bits, name, at) => bits | (inputs[name] ? 1 << at : 0), 0);
        return { answer: 'done', value };
      }
      case 'drain':
        await open.drained();
        return 'done';
      case 'answerTime':
        return { answer: 'done', value: Math.min(Math.floor(open.answerTime()), maxTime) };
    }
  }
}

const isTyping = (request: Request): request is MessageOf<TypingKind> =>
  request.kind === 'type' || request.kind === 'keys' || request.kind === 'hidden';

/** Returns the ID of a guest at the host: its random bytes as hexadecimal digits. */
export function visitId(guest: Uint8Array): string {
  return Array.from(guest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
