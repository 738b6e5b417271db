/**
 * The side of a shared bench without boards. It sees the traffic, types where it has the right, and offers a
 * `SerialPort` for each port that it may use. It reconnects by itself and continues where it was; bytes that cannot
 * be recovered are reported by offset and number.
 */
import type { Clock } from '@wirebench/clock';
import type { RemoteLoss } from '@wirebench/port';
import { MessageChannel } from '../frames/message-channel.ts';
import {
  type Answer,
  hostAbilities,
  knowsMore,
  type Message,
  type MessageOf,
  type Numbered,
  nameWithin,
  type PersonFields,
  pieceLimit,
  type Right,
  type SharedPortFields,
  type TypistFields,
} from '../frames/messages.ts';
import { Receipts } from '../frames/receipts.ts';
import type { BytesPiece } from '../frames/tap-records.ts';
import { type Limits, limits as usualLimits } from '../limits.ts';
import type { Dial } from '../message-link.ts';
import { RemoteError, type RemoteFailure } from '../remote-failure.ts';
import { type SealingCrypto, webCrypto } from '../sealing/sealing-crypto.ts';
import { readSecret } from '../sealing/secret.ts';
import { shownName } from '../shown-name.ts';
import { type EarlierFromHost, EarlierGate } from './earlier-gate.ts';
import { GuestConnection } from './guest-connection.ts';
import type { GuestPort } from './guest-port.ts';
import type { RemotePort } from './remote-port.ts';
import { RemoteSerial } from './remote-serial.ts';
import { type MissingBytes, type TapEvents, TapReader } from './tap-reader.ts';

interface RemoteGuestOptions {
  readonly clock: Clock;
  /** Connects as a guest of the room. */
  readonly dial: Dial;
  /** The secret from the fragment of the link. */
  readonly secret: string;
  /** Name that the host sees. */
  readonly name: string;
  /**
   * A secret of this browser, so that the host recognises the guest on another page of the same browser. Only a hash
   * of it leaves this side. Omitted: the host does not recognise the guest.
   */
  readonly browserKey?: string;
  /** Called after each change of `status`. */
  readonly onChange: () => void;
  /**
   * Receives lines from before this guest joined: once, before any piece, if the host consents. Omitted: they are not
   * requested.
   */
  readonly onEarlier?: (earlier: EarlierFromHost) => void;
  /** Receives bytes that passed a port at the host, in the order of their lane. */
  readonly onPiece: (piece: BytesPiece) => void;
  /** Receives the author of the line sent last to a port at the host, in words to show beside the line. */
  readonly onAuthor?: (port: number, words: string) => void;
  /** Reports bytes that this guest will never receive. The bytes behind them come next. */
  readonly onMissing: (missing: MissingBytes) => void;
  readonly crypto?: SealingCrypto;
  readonly limits?: Limits;
}

export interface RemoteGuestStatus {
  /** `away`: the host accepted the guest before, and the guest is reconnecting. */
  readonly state: 'joining' | 'joined' | 'away' | 'ended';
  readonly why: RemoteFailure | null;
  /** Name of the host; empty until it has accepted this guest. */
  readonly host: string;
  /** True: the host's own connection to the relay is lost. */
  readonly isHostAway: boolean;
  /**
   * End of sharing by this side's clock, in milliseconds since the Unix epoch; null until the host has accepted this
   * guest.
   */
  readonly endsAt: number | null;
  readonly ports: readonly GuestPort[];
  /** True: the host keeps bytes sent with `typeHidden` out of every log. */
  readonly canHide: boolean;
  /**
   * Guests named by the host, including this one. Fewer than `guests` if there are many. Guests that may do more than
   * watch come first.
   */
  readonly people: readonly PersonFields[];
  readonly guests: number;
  /** Guests that type key by key now. Empty if the host is of an older version. */
  readonly typists: readonly TypistFields[];
  /** Round-trip time to the host, in milliseconds; null until it was measured. */
  readonly roundTrip: number | null;
  /** Lead of the host's clock over this one, in milliseconds; null until it was measured. */
  readonly hostAhead: number | null;
}

/** Time from being accepted to the first ping, in milliseconds. A visit starts with many messages. */
const firstPing = 500;

const begun: RemoteGuestStatus = {
  state: 'joining',
  why: null,
  host: '',
  isHostAway: false,
  endsAt: null,
  ports: [],
  canHide: false,
  people: [],
  guests: 0,
  typists: [],
  roundTrip: null,
  hostAhead: null,
};

type Reply = { readonly answer: Answer; readonly value: number };
/** Requests of a port to its host, and requests to type. */
type Request = Extract<Message, { readonly request: number }>;
type RequestFields = Request extends infer One ? (One extends Request ? Omit<One, 'request'> : never) : never;

const shownPerson = <Person extends { readonly name: string }>(person: Person): Person => ({
  ...person,
  name: shownName(person.name, 'Guest'),
});

const shownAuthor = (words: string | null) => (words === null ? null : shownName(words, 'typed by a guest'));

const aborted: Reply = { answer: 'aborted', value: 0 };

export class RemoteGuest {
  readonly serial: RemoteSerial;
  readonly #options: RemoteGuestOptions;
  readonly #limits: Limits;
  readonly #id: Uint8Array;
  readonly #connection: GuestConnection;
  readonly #tap: TapReader;
  readonly #earlier: EarlierGate;
  #channel: MessageChannel;
  #receipts: Receipts;
  readonly #requests = new Map<number, (reply: Reply) => void>();
  #lastRequest = 0;
  /** Ports with a request to open, by number. They receive the host's messages for a port. */
  readonly #open = new Map<number, RemotePort>();
  #cancelAway: (() => void) | null = null;
  #cancelPing: (() => void) | null = null;
  /** Time of the ping that has no answer yet; null if none is pending. */
  #pingedAt: number | null = null;
  /** Sum of the host's abilities; 0 until the host answers, null until this guest has asked. */
  #abilities: number | null = null;
  /** Numbers of the ports whose boards are simulated. */
  #simulated: ReadonlySet<number> = new Set();
  #status = begun;

  /** @throws RemoteError with `wrong-key` if the secret is invalid. */
  constructor(options: RemoteGuestOptions) {
    const { clock, dial, limits = usualLimits, crypto = webCrypto } = options;
    this.#options = options;
    this.#limits = limits;
    this.#id = crypto.random(16);
    [this.#channel, this.#receipts] = this.#newChannel();
    this.serial = new RemoteSerial({
      window: limits.window,
      abilities: () => this.#abilities ?? 0,
      send: (message) => this.#send(message),
      request: (message) => this.#request(message),
    });
    const { onPiece, onAuthor = () => undefined, onMissing, onEarlier } = options;
    const show = (earlier: EarlierFromHost) =>
      onEarlier?.({ ...earlier, lines: earlier.lines.map((line) => ({ ...line, author: shownAuthor(line.author) })) });
    this.#earlier = new EarlierGate({
      clock,
      limits,
      ask: () => this.#send({ kind: 'wantEarlier' }),
      show: onEarlier === undefined ? null : show,
    });
    const events: TapEvents = {
      piece: (piece) => this.#earlier.pass(() => onPiece(piece), piece.bytes.length),
      author: (port, words) => this.#earlier.pass(() => onAuthor(port, shownAuthor(words) ?? ''), words.length),
      missing: (missing) => this.#earlier.pass(() => onMissing(missing), 0),
    };
    this.#tap = new TapReader(events, (from) => this.#send({ kind: 'catchUp', from }));
    const secret = readSecret(options.secret);
    this.#connection = new GuestConnection(
      { clock, limits, crypto, secret, dial },
      {
        proof: () => this.#proof(),
        accepted: (accept) => this.#accepted(accept),
        message: (message) => this.#take(message),
        ping: () => this.#ping(),
        tap: (plain) => this.#tap.take(plain),
        away: () => this.#away(),
        hostAway: (isHostAway) => this.#update({ isHostAway }),
        ended: (why) => this.#end(why),
      },
    );
    this.#connection.start();
  }

  get status(): RemoteGuestStatus {
    return this.#status;
  }

  /** Requests a right from the host. */
  ask(port: number, right: Right): void {
    this.#send({ kind: 'ask', port, right });
  }

  /**
   * Types into the host's session.
   *
   * @throws NotAllowedError without the right.
   * @throws NetworkError if the host's port is not connected, or the host is gone.
   */
  type(port: number, bytes: Uint8Array): Promise<void> {
    return this.#type('type', port, bytes);
  }

  /** Sends keys as they are pressed; to an older host as a message. Rejects as `type` does. */
  typeKeys(port: number, keys: Uint8Array): Promise<void> {
    return this.#type(((this.#abilities ?? 0) & hostAbilities.keys) === 0 ? 'type' : 'keys', port, keys);
  }

  /**
   * Types bytes that no log shows, also into a port that this guest uses. Rejects as `type` does.
   *
   * @throws NotAllowedError, and sends nothing, if the host would show them.
   */
  async typeHidden(port: number, bytes: Uint8Array): Promise<void> {
    if (!this.#status.canHide) {
      throw new DOMException('The host of the shared bench cannot hide what you type.', 'NotAllowedError');
    }
    await this.#type('hidden', port, bytes);
  }

  async #type(kind: 'type' | 'keys' | 'hidden', port: number, bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; from += pieceLimit) {
      const piece = bytes.slice(from, from + pieceLimit);
      const { answer } = await this.#request({ kind, port, bytes: piece });
      if (answer === 'no-right') {
        throw new DOMException('The person who shares the bench has not allowed you to type.', 'NotAllowedError');
      }
      if (answer !== 'done') {
        throw new DOMException('The shared port did not take what you typed.', 'NetworkError');
      }
    }
  }

  /** Ends the visit. */
  leave(): void {
    if (this.#status.state !== 'ended') {
      this.#send({ kind: 'leave' });
      this.#connection.close();
      this.#finish();
      this.#update({ state: 'ended' });
    }
  }

  #proof(): MessageOf<'prove'> {
    return {
      kind: 'prove',
      guest: this.#id,
      name: nameWithin(this.#options.name),
      received: this.#channel.received,
      tapFrame: this.#tap.last,
    };
  }

  #accepted({ isNew, host, received, tapFrame, lanes, endsIn }: MessageOf<'accept'>): void {
    this.#cancelAway?.();
    this.#cancelAway = null;
    if (isNew && this.#status.state === 'away') {
      // The host has forgotten this guest, so no port of the previous visit is open there.
      this.#losePorts('connection');
      [this.#channel, this.#receipts] = this.#newChannel();
      this.#abilities = null;
      this.#update({ canHide: false });
    }
    this.#channel.connect((plain) => this.#connection.transmit(plain), received);
    this.#receipts.acknowledged();
    this.#tap.connected(tapFrame, lanes);
    this.#update({
      state: 'joined',
      host: shownName(host, 'Somebody'),
      isHostAway: false,
      endsAt: this.#options.clock.wallTime() + endsIn,
    });
    if (this.#abilities === null) {
      this.#abilities = 0;
      this.#send(knowsMore);
    }
    this.#cancelPing = this.#options.clock.schedule(firstPing, () => this.#ping());
  }

  #ping(): void {
    this.#pingedAt = this.#options.clock.now();
    this.#send({ kind: 'ping', received: this.#channel.received });
  }

  /** Computes round trip and clock difference. Assumes that the host read its clock halfway through the round trip. */
  #measure(time: number): void {
    if (this.#pingedAt !== null) {
      const { clock } = this.#options;
      const roundTrip = clock.now() - this.#pingedAt;
      this.#pingedAt = null;
      this.#update({ roundTrip, hostAhead: time + roundTrip / 2 - clock.wallTime() });
    }
  }

  #newChannel(): [MessageChannel, Receipts] {
    const { clock } = this.#options;
    const channel = new MessageChannel(this.#limits.unacknowledged, () => this.#end('fell-behind'));
    return [channel, new Receipts(clock, this.#limits, channel)];
  }

  #send(message: Message): void {
    if (this.#status.state !== 'ended') {
      this.#channel.send(message);
      this.#receipts.sent();
    }
  }

  #request(message: RequestFields): Promise<Reply> {
    if (this.#status.state === 'ended') {
      return Promise.resolve(aborted);
    }
    return new Promise((resolve) => {
      const request = ++this.#lastRequest;
      this.#requests.set(request, resolve);
      if (message.kind === 'open') {
        const port = this.serial.portAt(message.port);
        if (port !== null) {
          this.#open.set(message.port, port);
        }
      }
      this.#send({ ...message, request } as Message);
    });
  }

  #take({ number, message }: Numbered): void {
    if (number > 0) {
      this.#receipts.took();
      if (!this.#channel.take(number)) {
        return;
      }
    }
    switch (message.kind) {
      case 'ack':
      case 'pong':
      case 'ping':
        this.#channel.acknowledge(message.received);
        this.#receipts.acknowledged();
        if (message.kind === 'pong') {
          this.#earlier.answered();
          this.#measure(message.time);
          this.#tap.noticeHead(message.tapFrame);
        }
        break;
      case 'answer':
        this.#requests.get(message.request)?.(message);
        this.#requests.delete(message.request);
        break;
      case 'ports': {
        const ports = message.ports.map((shared) => this.#shownPort(shared));
        this.serial.update(ports);
        this.#update({ ports, endsAt: this.#options.clock.wallTime() + message.endsIn });
        break;
      }
      case 'abilities':
        this.#abilities = message.bits;
        if ((message.bits & hostAbilities.person) !== 0) {
          void this.#tellPerson();
        }
        if ((message.bits & hostAbilities.typists) !== 0) {
          this.#send({ kind: 'wantTypists' });
        }
        this.#earlier.abilities(message.bits);
        this.#update({ canHide: (message.bits & hostAbilities.hidden) !== 0 });
        break;
      case 'boards':
        this.#simulated = new Set(message.boards.filter(({ isSimulated }) => isSimulated).map(({ port }) => port));
        break;
      case 'earlier':
        this.#earlier.take(message);
        break;
      case 'people':
        this.#update({ people: message.people.map(shownPerson), guests: message.total });
        break;
      case 'typists':
        this.#update({ typists: message.typists.map(shownPerson) });
        break;
      case 'caughtUp':
        this.#tap.caughtUp(message.from, message.frames, message.head);
        break;
      case 'bytes':
        if (this.#open.get(message.port)?.receive(message) === false) {
          throw new RemoteError('malformed');
        }
        break;
      case 'credit':
        this.#open.get(message.port)?.credit(message.total);
        break;
      case 'lineError':
        this.#open.get(message.port)?.fail(message);
        break;
      case 'lost':
        this.#open.get(message.port)?.end(message.end);
        break;
      default:
        throw new RemoteError('malformed');
    }
  }

  /**
   * Sends the browser's key, hashed with the link's secret. Each bench gets another hash, so that hosts cannot
   * compare guests.
   */
  async #tellPerson(): Promise<void> {
    const { browserKey, secret, crypto = webCrypto } = this.#options;
    if (browserKey !== undefined) {
      const hash = await crypto.sha256(new TextEncoder().encode(`${browserKey} ${secret}`));
      this.#send({ kind: 'person', key: hash.slice(0, 16) });
    }
  }

  #shownPort(shared: SharedPortFields): GuestPort {
    return {
      ...shared,
      name: shownName(shared.name, `Port ${shared.port}`),
      user: shared.user === null ? null : shownName(shared.user, 'Guest'),
      isSimulated: this.#simulated.has(shared.port),
    };
  }

  #away(): void {
    this.#cancelPing?.();
    this.#pingedAt = null;
    this.#channel.disconnect();
    this.#receipts.stop();
    this.#cancelAway ??= this.#options.clock.schedule(this.#limits.away, () => {
      this.#losePorts('connection');
      this.serial.clear('connection');
    });
    this.#update({ state: 'away', typists: [] });
  }

  /** Ends all open ports and answers all pending requests with `aborted`. */
  #losePorts(by: RemoteLoss): void {
    for (const port of this.#open.values()) {
      port.lose(by);
    }
    this.#open.clear();
    for (const resolve of this.#requests.values()) {
      resolve(aborted);
    }
    this.#requests.clear();
  }

  #finish(): void {
    this.#earlier.open();
    this.#cancelAway?.();
    this.#cancelPing?.();
    this.#channel.disconnect();
    this.#receipts.stop();
    this.#losePorts('ended');
    this.serial.clear('ended');
  }

  #end(why: RemoteFailure): void {
    if (this.#status.state !== 'ended') {
      this.#connection.close();
      this.#update({ state: 'ended', why, typists: [] });
      this.#finish();
    }
  }

  #update(change: Partial<RemoteGuestStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#options.onChange();
  }
}
