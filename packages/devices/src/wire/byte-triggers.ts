/** An action exactly after the n-th byte of a direction, independent of the chunks. */
export interface ByteTrigger {
  readonly after: number;
  fire(): void;
}

export class ByteTriggers {
  readonly #waiting: ByteTrigger[];
  #passed = 0;

  constructor(triggers: readonly ByteTrigger[]) {
    this.#waiting = triggers.toSorted((one, other) => one.after - other.after);
  }

  /** Passes `bytes` on in one piece, or in several with the triggers between them. */
  pass(bytes: Uint8Array, onward: (bytes: Uint8Array) => void): void {
    let from = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const at = from + next.after - this.#passed;
      if (at > bytes.length) {
        break;
      }
      this.#waiting.shift();
      if (at > from) {
        this.#passed += at - from;
        onward(bytes.subarray(from, at));
        from = at;
      }
      next.fire();
    }
    if (from < bytes.length) {
      this.#passed += bytes.length - from;
      onward(bytes.subarray(from));
    }
  }
}
