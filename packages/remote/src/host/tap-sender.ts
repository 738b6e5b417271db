/**
 * The tap of a bench on its way to everyone: at most one frame in twenty milliseconds, sealed once for all guests under a key that each of
 * them has been given, and that is another one as soon as somebody is expelled. Knows no guests.
 */
import type { Clock } from '@wirebench/clock';
import type { Limits } from '../limits.ts';
import { frameTypes } from '../sealing/handshake.ts';
import { Sealer } from '../sealing/sealed-frames.ts';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';
import type { TapLog } from './tap-log.ts';

interface TapSenderOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly crypto: SealingCrypto;
  readonly log: TapLog;
  /** A frame could leave now. */
  readonly isReady: () => boolean;
  /** Sends to everyone, in the order of the calls. */
  readonly send: (makeFrame: () => Promise<Uint8Array<ArrayBuffer> | null>) => void;
}

export class TapSender {
  readonly #options: TapSenderOptions;
  #epoch = 0;
  #key: Uint8Array;
  #sealer: Promise<Sealer>;
  #cancel: (() => void) | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: TapSenderOptions) {
    this.#options = options;
    this.#key = options.crypto.random(32);
    this.#sealer = this.#makeSealer();
  }

  /** What a guest needs to read what is sent from now on. */
  get key(): { readonly epoch: number; readonly key: Uint8Array } {
    return { epoch: this.#epoch, key: this.#key };
  }

  /** Whoever has only the key of before reads nothing from now on. */
  renewKey(): void {
    this.#epoch++;
    this.#key = this.#options.crypto.random(32);
    this.#sealer = this.#makeSealer();
  }

  /** Something has been added to the log, or a frame can leave again. */
  wake(): void {
    const { clock, limits, log } = this.#options;
    if (this.#cancel === null && !log.isEmpty) {
      const wait = Math.max(0, this.#sentAt + limits.tapInterval - clock.now());
      this.#cancel = clock.schedule(wait, () => {
        this.#cancel = null;
        this.#sendNext();
      });
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #sendNext(): void {
    const { clock, log, isReady, send } = this.#options;
    this.#sentAt = clock.now();
    const plain = isReady() ? log.next() : null;
    if (plain !== null) {
      const sealer = this.#sealer;
      send(async () => {
        try {
          return await (await sealer).seal(plain);
        } catch {
          // 2³² frames under one key: guests ask for what they did not get.
          return null;
        }
      });
    }
    this.wake();
  }

  async #makeSealer(): Promise<Sealer> {
    const epoch = this.#epoch;
    return new Sealer(await this.#options.crypto.cipher(this.#key), frameTypes.tap, epoch);
  }
}
