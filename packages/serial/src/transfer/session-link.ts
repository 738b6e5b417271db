/** A port that a transfer has to itself, as the link that its protocol reads and writes. */
import type { PortHold } from '../port-session.ts';
import type { ByteLink } from './byte-link.ts';

/** A port as a transfer uses it. */
export type HeldPort = Pick<PortHold, 'over' | 'send'>;

export class SessionLink implements ByteLink {
  readonly #chunks: Uint8Array[] = [];
  #wake: (() => void) | null = null;
  #hold: HeldPort | null = null;

  /** @param hold The port, whose received bytes are passed to `received`. */
  attach(hold: HeldPort): void {
    this.#hold = hold;
    hold.over.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  received(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#wake?.();
  }

  async read(signal: AbortSignal): Promise<Uint8Array> {
    for (;;) {
      signal.throwIfAborted();
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        return chunk;
      }
      if (this.#hold?.over.aborted !== false) {
        throw new DOMException('The port was closed.', 'NetworkError');
      }
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          signal.removeEventListener('abort', resolve as () => void);
          resolve();
        };
        signal.addEventListener('abort', resolve as () => void, { once: true });
      });
      this.#wake = null;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#hold?.send(bytes);
  }
}
