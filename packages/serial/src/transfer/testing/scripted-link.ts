/** A link whose other side is the test. */
import type { VirtualClock } from '@wirebench/clock';
import type { ByteLink } from '../byte-link.ts';

export class ScriptedLink implements ByteLink {
  /** Bytes that were written and not taken. */
  written: number[] = [];
  readonly #chunks: Uint8Array[] = [];
  #isClosed = false;
  #wake: (() => void) | null = null;

  async read(signal: AbortSignal): Promise<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        return chunk;
      }
      if (this.#isClosed || signal.aborted) {
        throw new Error('closed');
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.written.push(...bytes);
  }

  /** Sends bytes to the transfer and lets it react. */
  async say(clock: VirtualClock, bytes: Iterable<number>): Promise<void> {
    this.#chunks.push(Uint8Array.from(bytes));
    this.#wake?.();
    await clock.settle();
  }

  /** Sends `byte` as often as it takes until the transfer is over. */
  async sayUntil(clock: VirtualClock, done: Promise<unknown>, byte: number): Promise<void> {
    let isOver = false;
    void done.then(() => {
      isOver = true;
    });
    for (let times = 0; times < 1_000 && !isOver; times++) {
      await this.say(clock, [byte]);
    }
  }

  take(): number[] {
    const { written } = this;
    this.written = [];
    return written;
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }
}
