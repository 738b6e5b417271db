/** A growing list of bytes. */
export class ByteList {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = byte;
  }

  pushAll(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    this.#bytes.set(bytes.subarray(from, to), this.length);
    this.length += to - from;
  }

  cut(length: number): void {
    this.length = length;
  }

  take(length: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, length);
  }

  #reserve(more: number): void {
    if (this.length + more > this.#bytes.length) {
      const grown = new Uint8Array((this.length + more) * 2);
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
  }
}
