/** The bytes that a port receives while a job listens, in their order, for a `LinkReader`. */
export class HeardBytes {
  #chunks: Uint8Array[] = [];
  #wake: (() => void) | null = null;

  /** Takes what the port received. The bytes must not change afterwards. */
  received(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#wake?.();
  }

  /** Resolves with the next bytes. Rejects as soon as `signal` aborts. */
  async read(signal: AbortSignal): Promise<Uint8Array> {
    for (;;) {
      signal.throwIfAborted();
      const next = this.#chunks.shift();
      if (next !== undefined) {
        return next;
      }
      const arrival = Promise.withResolvers<void>();
      this.#wake = arrival.resolve;
      const wake = () => arrival.resolve();
      signal.addEventListener('abort', wake, { once: true });
      await arrival.promise;
      signal.removeEventListener('abort', wake);
      this.#wake = null;
    }
  }
}
