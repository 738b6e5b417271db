/** Records changes to a partition as an ordered list of sector writes. */
import { isSame } from '../../core/bytes.ts';
import { PAGE_SIZE } from './nvs-layout.ts';

/** Whole sector to write. A sector that is to be erased is 0xFF. */
export interface SectorWrite {
  /** Offset in the partition, a multiple of 4,096. */
  readonly offset: number;
  /** 4,096 bytes. */
  readonly bytes: Uint8Array;
}

/** Collects writes in the order of the changes. Changes to one sector that follow each other are one write. */
export class SectorWrites {
  readonly #image: Uint8Array;
  /** Contents of the flash after the writes that are listed. */
  readonly #flashed: Uint8Array;
  readonly #writes: SectorWrite[] = [];
  #current: number | null = null;

  /** @param image Partition that the caller changes after `begin`. */
  constructor(image: Uint8Array) {
    this.#image = image;
    this.#flashed = image.slice();
  }

  /** Returns the bytes of a sector, which the caller changes at once. */
  begin(sector: number): Uint8Array {
    if (this.#current !== sector) {
      this.#flush();
      this.#current = sector;
    }
    return this.#sectorOf(this.#image, sector);
  }

  /** Returns all writes. */
  finish(): SectorWrite[] {
    this.#flush();
    return this.#writes;
  }

  #flush(): void {
    if (this.#current === null) {
      return;
    }
    const bytes = this.#sectorOf(this.#image, this.#current);
    const before = this.#sectorOf(this.#flashed, this.#current);
    if (!isSame(bytes, before)) {
      before.set(bytes);
      this.#writes.push({ offset: this.#current * PAGE_SIZE, bytes: bytes.slice() });
    }
  }

  #sectorOf(image: Uint8Array, sector: number): Uint8Array {
    return image.subarray(sector * PAGE_SIZE, (sector + 1) * PAGE_SIZE);
  }
}
