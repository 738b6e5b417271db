/** A chip's flash, looked at from outside of the chip. */
export interface FlashView {
  readonly size: number;
  /** Bytes that the chip was asked to erase and to program since the counts were reset, whether it came to that or not. */
  readonly erasedBytes: number;
  readonly programmedBytes: number;
  /** A copy of what is in the chip now. What lies beyond the end reads as 0xff. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  resetCounts(): void;
}
