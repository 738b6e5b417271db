/** A serial flash chip that can only be read. Winbond W25X16 data sheet, section 10.2 "Instruction Set"; JESD216. */
import type { SpiTarget } from '../buses.ts';

const command = { readStatus: 0x05, read: 0x03, readId: 0x9f } as const;

export class SpiFlash implements SpiTarget {
  readonly modes = [0, 3];
  readonly content: Uint8Array;
  readonly #id: readonly number[];
  #received: number[] = [];

  /**
   * @param id Answer to RDID: manufacturer, kind, and capacity as a power of two.
   * @param content Content of the whole flash. Default: erased.
   */
  constructor(id: readonly [number, number, number], content: Uint8Array = new Uint8Array(2 ** id[2]).fill(0xff)) {
    this.#id = id;
    this.content = content;
  }

  select(): void {
    this.#received = [];
  }

  exchange(byte: number): number {
    const [instruction, high = 0, middle = 0, low = 0] = this.#received;
    const count = this.#received.length;
    this.#received.push(byte);
    if (instruction === command.readId) {
      return this.#id[(count - 1) % 3] ?? 0;
    }
    if (instruction === command.readStatus) {
      return 0;
    }
    if (instruction === command.read && count >= 4) {
      return this.content[((high << 16) | (middle << 8) | low) + count - 4] ?? 0xff;
    }
    return 0;
  }
}
