/** An ascending list of numbers in one typed array that grows at both ends. */

type Numbers = Float64Array<ArrayBuffer>;

/** Numbers that the first growth makes room for. */
const MIN_ROOM = 256;

export class SequenceList {
  #memory: Numbers = new Float64Array(0);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  /** Returns a number; undefined outside of 0 to `length` − 1. */
  at(index: number): number | undefined {
    return index < 0 || index >= this.length ? undefined : this.#memory[this.#from + index];
  }

  /** Returns how many numbers are below `value`, which is also the index of the first one that is not. */
  rank(value: number): number {
    let low = this.#from;
    let high = this.#to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#memory[middle] as number) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - this.#from;
  }

  /** @param numbers Ascending, all above the existing ones. */
  append(numbers: readonly number[]): void {
    if (this.#to + numbers.length > this.#memory.length) {
      this.#grow(0, numbers.length);
    }
    this.#memory.set(numbers, this.#to);
    this.#to += numbers.length;
  }

  /** @param numbers Ascending, all below the existing ones. */
  prepend(numbers: readonly number[]): void {
    if (numbers.length > this.#from) {
      this.#grow(numbers.length, 0);
    }
    this.#from -= numbers.length;
    this.#memory.set(numbers, this.#from);
  }

  /** Removes every number that is not below `value`. */
  dropFrom(value: number): void {
    this.#to = this.#from + this.rank(value);
  }

  /** Removes every number below `value`. */
  dropBefore(value: number): void {
    this.#from += this.rank(value);
  }

  /** Returns a view of the numbers, valid until the next change. */
  view(): Numbers {
    return this.#memory.subarray(this.#from, this.#to);
  }

  /** Doubles the room at one end. The other end keeps its room, but no more than the list's length. */
  #grow(front: number, back: number): void {
    const { length } = this;
    const frontRoom = front > 0 ? Math.max(length + front, MIN_ROOM) : Math.min(this.#from, length);
    const backRoom = back > 0 ? Math.max(length + back, MIN_ROOM) : Math.min(this.#memory.length - this.#to, length);
    const memory = new Float64Array(frontRoom + length + backRoom);
    memory.set(this.view(), frontRoom);
    this.#memory = memory;
    this.#from = frontRoom;
    this.#to = frontRoom + length;
  }
}
