/** A chip's flash, inspected from outside the chip. */
export interface FlashView {
  readonly size: number;
  /** Bytes of requested erases and programs since the counts were reset. Operations that never ran are included. */
  readonly erasedBytes: number;
  readonly programmedBytes: number;
  /** Returns a copy of the present content. Bytes beyond the end read as 0xff. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  resetCounts(): void;
}
