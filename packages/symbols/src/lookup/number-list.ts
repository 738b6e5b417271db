/** Numbers that are appended one by one and then kept in a typed array, without a JavaScript object for each. */
type NumberArray = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export class NumberList {
  #values: NumberArray;
  #length = 0;

  /** @param kind `wide` for whole numbers up to 2^53, else up to 2^32 − 1. */
  constructor(kind: 'wide' | 'narrow') {
    this.#values = kind === 'wide' ? new Float64Array(1_024) : new Uint32Array(1_024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown =
        this.#values instanceof Float64Array ? new Float64Array(this.#length * 2) : new Uint32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** 0 outside. */
  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Drops what is at `length` and behind. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** The numbers, in an array of exactly their size. */
  toArray(): NumberArray {
    return this.#values.slice(0, this.#length);
  }
}
