/**
 * A connection of the relay to somebody who wants to be a guest: the host's side of the handshake, and frames sealed and opened under the
 * keys that came of it. A frame that is not what it should be ends the keys, never the host.
 */
import type { Clock } from '@wirebench/clock';
import { decodeMessage, encodeMessage, type Message, type MessageOf, type Numbered } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';
import { OrderedWork } from '../ordered-work.ts';
import { RemoteError, remoteFailureOf } from '../remote-failure.ts';
import { answerHello, frameTypes, type Keys } from '../sealing/handshake.ts';
import { readSealedHeader } from '../sealing/sealed-frames.ts';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';

/** Hellos in a row that are answered, one more after each `limits.retry`: each costs an exchange of keys. */
const hellosAtOnce = 8;

interface VisitorEvents {
  /** It has the secret. */
  readonly proved: (prove: MessageOf<'prove'>) => void;
  readonly message: (message: Numbered) => void;
  /** The keys are of no use any more; a new hello may follow. */
  readonly broken: () => void;
  /** It sends more than can be opened. */
  readonly flooding: () => void;
  /** Sends a frame to it, in the order of the calls. */
  readonly send: (makeFrame: () => Promise<Uint8Array<ArrayBuffer> | null>) => void;
}

interface VisitorOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly crypto: SealingCrypto;
  readonly secret: Uint8Array;
}

export class Visitor {
  readonly #options: VisitorOptions;
  readonly #events: VisitorEvents;
  readonly #inbox = new OrderedWork();
  /** Made of the last hello; nobody has proved anything with them yet. */
  #offered: Keys | null = null;
  #keys: Keys | null = null;
  #hellos = hellosAtOnce;
  #helloAt: number;
  #restartAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: VisitorOptions, events: VisitorEvents) {
    this.#options = options;
    this.#events = events;
    this.#helloAt = options.clock.now();
  }

  take(payload: Uint8Array): void {
    if (this.#inbox.pending >= this.#options.limits.inbox) {
      this.#events.flooding();
      return;
    }
    const frame = payload.slice();
    this.#inbox.add(() => this.#process(frame));
  }

  /** Seals and sends; dropped when the keys have changed by the time that it is its turn. */
  send(message: Message): void {
    this.transmit(encodeMessage(message));
  }

  transmit(plain: Uint8Array<ArrayBuffer>): void {
    const keys = this.#keys;
    if (keys !== null) {
      this.#events.send(async () => {
        if (keys !== this.#keys) {
          return null;
        }
        try {
          return await keys.sealer.seal(plain);
        } catch {
          this.#break();
          return null;
        }
      });
    }
  }

  /** Its connection is gone. What has arrived is opened before it is closed: a farewell may be among it. */
  finish(): void {
    this.#inbox.add(async () => this.close());
  }

  /** It is gone: nothing is sealed for it or opened any more. */
  close(): void {
    this.#isClosed = true;
    this.#keys = null;
    this.#offered = null;
  }

  async #process(frame: Uint8Array): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    try {
      if (frame[0] === frameTypes.hello) {
        await this.#hello(frame);
      } else if (frame[0] === frameTypes.sealed) {
        await this.#sealed(frame);
      }
    } catch (error) {
      const code = remoteFailureOf(error);
      if (code === 'wrong-version') {
        this.#events.send(async () => Uint8Array.of(frameTypes.refuse));
      } else if (code !== 'replayed') {
        this.#break();
      }
    }
  }

  async #hello(frame: Uint8Array): Promise<void> {
    const { clock, limits, crypto, secret } = this.#options;
    const earned = Math.floor((clock.now() - this.#helloAt) / limits.retry);
    this.#helloAt += earned * limits.retry;
    this.#hellos = Math.min(hellosAtOnce, this.#hellos + earned);
    if (this.#hellos === 0) {
      return;
    }
    this.#hellos--;
    const { frame: challenge, keys } = await answerHello(crypto, secret, frame);
    if (!this.#isClosed) {
      this.#offered = keys;
      this.#events.send(async () => challenge);
    }
  }

  async #sealed(frame: Uint8Array): Promise<void> {
    const key = readSealedHeader(frame)?.key;
    if (key === this.#keys?.opener.key && this.#keys !== null) {
      const message = decodeMessage(await this.#keys.opener.open(frame));
      if (!this.#isClosed) {
        this.#events.message(message);
      }
    } else if (key === this.#offered?.opener.key && this.#offered !== null) {
      await this.#proof(this.#offered, frame);
    } else if (this.#keys === null && this.#offered === null) {
      // A page that thinks that it is connected, after the host forgot it.
      this.#break();
    }
  }

  async #proof(offered: Keys, frame: Uint8Array): Promise<void> {
    const { message } = decodeMessage(await offered.opener.open(frame));
    if (this.#isClosed) {
      return;
    }
    if (message.kind !== 'prove') {
      throw new RemoteError('malformed');
    }
    if (this.#keys !== null) {
      this.#events.broken();
    }
    this.#offered = null;
    this.#keys = offered;
    this.#events.proved(message);
  }

  /** The guest is told to begin again, in the clear: there is no key that both have. */
  #break(): void {
    const { clock, limits } = this.#options;
    const hadKeys = this.#keys !== null;
    this.#keys = null;
    this.#offered = null;
    if (hadKeys) {
      this.#events.broken();
    }
    if (hadKeys || clock.now() - this.#restartAt >= limits.retry) {
      this.#restartAt = clock.now();
      this.#events.send(async () => Uint8Array.of(frameTypes.restart));
    }
  }
}
