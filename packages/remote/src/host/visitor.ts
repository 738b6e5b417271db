/**
 * A relay connection that wants to become a guest: the host's side of the handshake, and frames sealed and opened
 * under the resulting keys. A faulty frame ends the keys, never the host.
 */
import type { Clock } from '@wirebench/clock';
import { decodeMessage, encodeMessage, type Message, type MessageOf, type Numbered } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';
import { OrderedWork } from '../ordered-work.ts';
import { RemoteError, remoteFailureOf } from '../remote-failure.ts';
import { answerHello, frameTypes, type Keys } from '../sealing/handshake.ts';
import { readSealedHeader } from '../sealing/sealed-frames.ts';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';

/**
 * Maximum number of hellos answered in a row. Each `limits.retry` allows one more. Each answer costs a key exchange.
 */
const hellosAtOnce = 8;

interface VisitorEvents {
  /** Called when the visitor has proved that it has the secret. */
  readonly proved: (prove: MessageOf<'prove'>) => void;
  readonly message: (message: Numbered) => void;
  /** Called when the keys are unusable. A new hello may follow. */
  readonly broken: () => void;
  /** Called when the visitor sends more frames than can be opened. */
  readonly flooding: () => void;
  /** Sends a frame to the visitor, in the order of the calls. */
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
  /** Keys from the last hello, not yet proved by the visitor. */
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

  /** Seals a message and sends it. Drops it if the keys have changed before its turn. */
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

  /** Closes after the received frames were opened. The connection is gone, but its last frame may be a farewell. */
  finish(): void {
    this.#inbox.add(async () => this.close());
  }

  /** Stops sealing and opening frames: the visitor is gone. */
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
      // The page believes to be connected, but the host has forgotten it.
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

  /** Tells the guest to send a new hello. The frame is not sealed, because both sides have no common key. */
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
