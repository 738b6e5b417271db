/** Growable list of numbers in a typed array, without a JavaScript object for each number. */
type NumberArray = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export class NumberList {
  #values: NumberArray;
  #length = 0;

  /** @param kind `wide` holds whole numbers up to 2^53, `narrow` up to 2^32 − 1 */
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

  /** Returns the number at `index`; 0 outside the list. */
  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Removes the numbers from index `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Returns a copy with exactly the numbers of the list. */
  toArray(): NumberArray {
    return this.#values.slice(0, this.#length);
  }
}
