/**
 * Sends the tap of a bench to all guests, at most one frame in 20 ms. Each frame is sealed once for all guests, under
 * a key that each of them has received. Expelling a guest replaces the key.
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
  /** Returns true if a frame can leave now. */
  readonly isReady: () => boolean;
  /** Sends to all guests, in the order of the calls. */
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

  /** The key that guests need for the frames from now on. */
  get key(): { readonly epoch: number; readonly key: Uint8Array } {
    return { epoch: this.#epoch, key: this.#key };
  }

  /** Replaces the key. A guest with only the previous key cannot read later frames. */
  renewKey(): void {
    this.#epoch++;
    this.#key = this.#options.crypto.random(32);
    this.#sealer = this.#makeSealer();
  }

  /** Call this when the log has grown, or when a frame can leave again. */
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
          // The key has sealed all its 2³² − 1 frames. Guests ask for frames that they did not receive.
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
