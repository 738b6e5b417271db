/**
 * A guest's connection to its host: hello, proof and sealed frames, repeated after each loss. It detects a silent
 * host and frames that were lost, changed or repeated. Delivering messages again is the caller's task.
 */
import type { Clock } from '@wirebench/clock';
import { hostNumber, type LiveMessage } from '@wirebench/contract/live';
import { decodeMessage, encodeMessage, type MessageOf, type Numbered } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';
import type { Dial } from '../message-link.ts';
import { OrderedWork } from '../ordered-work.ts';
import { RelayLink } from '../relay-link.ts';
import { RemoteError, type RemoteFailure, remoteFailureOf } from '../remote-failure.ts';
import { frameTypes, type GuestHello, type Keys, makeHello } from '../sealing/handshake.ts';
import { Opener, readSealedHeader } from '../sealing/sealed-frames.ts';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';

/**
 * Number of mismatching answers after which the guest gives up. Answers are not sealed. A single one may come from
 * the relay, and several count as the host's.
 */
const misfitLimit = 3;

interface ConnectionEvents {
  /** Returns the message that proves the guest's identity. */
  readonly proof: () => MessageOf<'prove'>;
  readonly accepted: (accept: MessageOf<'accept'>) => void;
  readonly message: (message: Numbered) => void;
  /** Called at intervals: the receiver must ping the host. */
  readonly ping: () => void;
  /** Receives a frame that the host sent to all guests. */
  readonly tap: (plain: Uint8Array) => void;
  /** Called when the connection is lost. The guest can send again once the host has accepted it. */
  readonly away: () => void;
  /** The host's own connection to the relay is lost (true) or restored (false). */
  readonly hostAway: (isAway: boolean) => void;
  readonly ended: (why: RemoteFailure) => void;
}

interface ConnectionOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly crypto: SealingCrypto;
  readonly secret: Uint8Array;
  readonly dial: Dial;
}

export class GuestConnection {
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #relay: RelayLink;
  readonly #inbox = new OrderedWork();
  readonly #outbox = new OrderedWork();
  #hello: GuestHello | null = null;
  #keys: Keys | null = null;
  /** `pausing`: a hello is scheduled. `greeting`: the hello was sent, and the host has not accepted yet. */
  #phase: 'idle' | 'pausing' | 'greeting' | 'accepted' = 'idle';
  #tapOpener: Opener | null = null;
  /** Hellos since the last accepted one. */
  #tries = 0;
  /** Answers of another key or version since the last accepted hello. */
  #misfits = 0;
  #wasAccepted = false;
  #cancelHello: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;
  #heardAt = 0;
  #isOver = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    const { clock, limits, dial, crypto } = options;
    this.#options = options;
    this.#events = events;
    const random = () => (crypto.random(1)[0] ?? 0) / 255;
    this.#relay = new RelayLink(
      { clock, limits, dial, random },
      {
        up: () => this.#sayHello(0),
        down: () => this.#lose(),
        hostAway: (wait) => this.#hostAway(wait !== null),
        message: (message) => this.#take(message),
        ended: (why) => this.#end(why),
      },
    );
  }

  start(): void {
    this.#relay.start();
  }

  /** Seals a message and sends it. Drops it if the keys have changed before its turn. */
  transmit(plain: Uint8Array<ArrayBuffer>): void {
    const keys = this.#keys;
    this.#outbox.add(async () => {
      if (keys === null || keys !== this.#keys) {
        return;
      }
      try {
        const frame = await keys.sealer.seal(plain);
        if (keys === this.#keys) {
          this.#relay.send('data', hostNumber, frame);
        }
      } catch {
        this.#begin();
      }
    });
  }

  /** Sets the key of the frames that the host sends to all guests. */
  async setTapKey(epoch: number, key: Uint8Array): Promise<void> {
    if (this.#tapOpener?.key !== epoch) {
      this.#tapOpener = new Opener(await this.#options.crypto.cipher(key.slice()), epoch);
    }
  }

  close(): void {
    this.#isOver = true;
    this.#cancelHello?.();
    this.#cancelWatch?.();
    // Pending messages leave before the connection closes.
    this.#outbox.add(async () => {
      this.#stop();
      this.#relay.close();
    });
  }

  #take({ kind, payload }: LiveMessage): void {
    if (kind !== 'data') {
      return;
    }
    if (this.#inbox.pending >= this.#options.limits.inbox) {
      this.#relay.drop();
      return;
    }
    const frame = payload.slice();
    this.#inbox.add(() => this.#process(frame));
  }

  async #process(frame: Uint8Array): Promise<void> {
    if (this.#isOver) {
      return;
    }
    try {
      switch (frame[0]) {
        case frameTypes.challenge:
          await this.#prove(frame);
          break;
        case frameTypes.sealed:
          await this.#sealed(frame);
          break;
        case frameTypes.tap:
          await this.#tap(frame);
          break;
        case frameTypes.restart:
          this.#begin();
          break;
        case frameTypes.refuse:
          throw new RemoteError('wrong-version');
        default:
          throw new RemoteError('malformed');
      }
    } catch (error) {
      const code = remoteFailureOf(error);
      if ((code === 'wrong-version' || code === 'wrong-key') && !this.#wasAccepted && ++this.#misfits >= misfitLimit) {
        this.#end(code);
      } else if (code !== 'replayed') {
        this.#begin();
      }
    }
  }

  async #prove(challenge: Uint8Array): Promise<void> {
    const hello = this.#hello;
    if (hello === null) {
      return;
    }
    const keys = await hello.answer(challenge);
    if (hello === this.#hello && !this.#isOver) {
      this.#hello = null;
      this.#keys = keys;
      this.transmit(encodeMessage(this.#events.proof()));
    }
  }

  async #sealed(frame: Uint8Array): Promise<void> {
    const keys = this.#keys;
    if (keys === null || readSealedHeader(frame)?.key !== keys.opener.key) {
      return;
    }
    const numbered = decodeMessage(await keys.opener.open(frame));
    if (keys !== this.#keys) {
      return;
    }
    this.#heardAt = this.#options.clock.now();
    const { message } = numbered;
    if (message.kind === 'refuse') {
      this.#end(message.reason);
    } else if (message.kind === 'accept') {
      this.#accept(message);
    } else if (message.kind === 'tapKey') {
      await this.setTapKey(message.epoch, message.key);
    } else if (this.#phase === 'accepted') {
      this.#events.message(numbered);
    }
  }

  #accept(message: MessageOf<'accept'>): void {
    if (this.#phase === 'accepted') {
      throw new RemoteError('malformed');
    }
    this.#phase = 'accepted';
    this.#wasAccepted = true;
    this.#tries = 0;
    this.#relay.settle();
    this.#cancelHello?.();
    this.#cancelHello = null;
    this.#watch();
    this.#events.accepted(message);
  }

  async #tap(frame: Uint8Array): Promise<void> {
    const opener = this.#tapOpener;
    // Frames under another key were sent before this key arrived. The guest requests the missing ones.
    if (opener !== null && this.#phase === 'accepted' && readSealedHeader(frame)?.key === opener.key) {
      const plain = await opener.openLater(frame);
      this.#events.tap(plain);
    }
  }

  /** Pings the host at intervals. A host that stays silent has lost this guest, so the connection is dropped. */
  #watch(): void {
    const { clock, limits } = this.#options;
    this.#cancelWatch?.();
    this.#cancelWatch = clock.schedule(limits.ping, () => {
      if (clock.now() - this.#heardAt >= limits.silence) {
        this.#relay.drop();
      } else {
        this.#events.ping();
        this.#watch();
      }
    });
  }

  /** Starts a new handshake after a fault. The pause before it grows until the host accepts a hello. */
  #begin(): void {
    if (this.#relay.isUp && this.#phase !== 'pausing') {
      const { limits } = this.#options;
      this.#sayHello(Math.min(limits.retry * 2 ** this.#tries, limits.retryMost));
    }
  }

  #sayHello(pause: number): void {
    const { clock, limits, crypto, secret } = this.#options;
    this.#lose();
    this.#tries++;
    this.#phase = 'pausing';
    this.#cancelHello = clock.schedule(pause, () => {
      this.#phase = 'greeting';
      this.#cancelHello = clock.schedule(limits.greeting, () => this.#relay.drop());
      this.#outbox.add(async () => {
        const hello = await makeHello(crypto, secret);
        if (this.#phase === 'greeting') {
          this.#hello = hello;
          this.#relay.send('data', hostNumber, hello.frame);
        }
      });
    });
  }

  /**
   * Greets a host that is back. While the host is away, hellos are repeated in case the relay does not report its
   * return.
   */
  #hostAway(isAway: boolean): void {
    // Reported first, because a hello ends this connection and reports `away`.
    this.#events.hostAway(isAway);
    this.#sayHello(isAway ? this.#options.limits.greeting : 0);
  }

  #lose(): void {
    const wasAccepted = this.#phase === 'accepted';
    this.#stop();
    if (wasAccepted) {
      this.#events.away();
    }
  }

  #stop(): void {
    this.#cancelHello?.();
    this.#cancelHello = null;
    this.#cancelWatch?.();
    this.#cancelWatch = null;
    this.#phase = 'idle';
    this.#keys = null;
    this.#hello = null;
  }

  #end(why: RemoteFailure): void {
    if (!this.#isOver) {
      this.close();
      this.#events.ended(why);
    }
  }
}
