/**
 * The option bytes of a part: values with their complements as stored in memory, including read and write protection.
 * The chip decides the time at which they take effect.
 */
import type { StmProtection } from '../options.ts';
import type { StmOptionFacts } from '../parts/part.ts';

/** Value of level 2. The STM32F1, whose value of level 0 is 0xa5, has no level 2. */
const level2 = 0xcc;

export class OptionBytes {
  readonly #facts: StmOptionFacts;
  readonly #pages: number;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  /**
   * @param facts Layout and factory values.
   * @param pages Number of pages or sectors of the flash.
   */
  constructor(facts: StmOptionFacts, pages: number) {
    this.#facts = facts;
    this.#pages = pages;
    this.#bytes = new Uint8Array(facts.ranges.reduce((total, { length }) => total + length, 0));
    this.reset();
  }

  /** Restores the factory values. */
  reset(): void {
    this.#bytes.fill(0xff);
    for (const [offset, value] of this.#facts.values) {
      this.#bytes[offset] = value;
    }
    this.#complete();
  }

  get protection(): StmProtection {
    const { offset, none } = this.#facts.protection;
    const value = this.#bytes[offset];
    if (value === none) {
      return 0;
    }
    return value === level2 && none === 0xaa ? 2 : 1;
  }

  /** Level 1 is written as 0x00, as by the bootloader. A part without level 2 gets level 1 instead. */
  set protection(level: StmProtection) {
    const { offset, none } = this.#facts.protection;
    this.#bytes[offset] = level === 0 ? none : level === 1 || none === 0xa5 ? 0x00 : level2;
    this.#complete();
  }

  /** True if the page can be neither erased nor programmed. */
  isWriteProtected(page: number): boolean {
    const facts = this.#facts.writeProtection;
    if (facts.kind === 'area') {
      return page >= (this.#bytes[facts.first] ?? 0xff) && page <= (this.#bytes[facts.last] ?? 0);
    }
    const bit = Math.floor(page / facts.pages);
    const byte = this.#bytes[facts.offsets[bit >> 3] ?? -1];
    return byte !== undefined && ((byte >> (bit & 7)) & 1) === facts.protectedBit;
  }

  /**
   * Protects exactly the sectors with these codes; a code covers the pages of one bit. Parts that protect an area
   * protect everything between the lowest and the highest code. Codes that do not exist are ignored.
   */
  protectWriting(codes: readonly number[]): void {
    const facts = this.#facts.writeProtection;
    if (facts.kind === 'area') {
      const inside = codes.filter((code) => code < this.#pages);
      this.#bytes[facts.first] = inside.length === 0 ? 0xff : Math.min(...inside);
      this.#bytes[facts.last] = inside.length === 0 ? 0x00 : Math.max(...inside);
    } else {
      const bits = Math.ceil(this.#pages / facts.pages);
      for (const [index, offset] of facts.offsets.entries()) {
        for (let bit = 0; bit < 8 && index * 8 + bit < bits; bit++) {
          const value = codes.includes(index * 8 + bit) ? facts.protectedBit : 1 - facts.protectedBit;
          this.#bytes[offset] = ((this.#bytes[offset] ?? 0) & ~(1 << bit)) | (value << bit);
        }
      }
    }
    this.#complete();
  }

  /** Returns the code of the sector that contains a page. */
  sectorOf(page: number): number {
    const facts = this.#facts.writeProtection;
    return facts.kind === 'area' ? page : Math.floor(page / facts.pages);
  }

  /** Returns the byte at an offset, counted through all areas. */
  at(offset: number): number {
    return this.#bytes[offset] ?? 0xff;
  }

  /** Writes from an offset on. First erases the whole area with this offset; complements are added automatically. */
  write(offset: number, data: Uint8Array): void {
    let start = 0;
    for (const { length } of this.#facts.ranges) {
      if (offset >= start && offset < start + length) {
        this.#bytes.fill(0xff, start, start + length);
        this.#bytes.set(data.subarray(0, start + length - offset), offset);
      }
      start += length;
    }
    this.#complete();
  }

  #complete(): void {
    const { complement: width } = this.#facts;
    if (width === 'none') {
      return;
    }
    for (let at = 0; at < this.#bytes.length; at++) {
      if (Math.floor(at / width) % 2 === 1) {
        this.#bytes[at] = ~(this.#bytes[at - width] ?? 0);
      }
    }
  }
}
