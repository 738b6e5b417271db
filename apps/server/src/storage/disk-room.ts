/**
 * Reserves disk space for incoming files. The space that one file still needs is not available to others. A reserve
 * is kept free for the database on the same disk. Counts in this process only.
 */
export interface DiskRoomOptions {
  /** Bytes that always stay free; 0 disables the check. */
  readonly reserve: number;
  /** Returns the bytes that are free now. */
  readonly freeBytes: () => Promise<number>;
}

/** Reserved space for one file, until its disposal. */
export interface Room extends Disposable {
  /** Reports that `bytes` more are written to the disk. */
  use(bytes: number): void;
}

export class DiskRoom {
  readonly #options: DiskRoomOptions;
  /** Expected bytes of each file. */
  readonly #expected = new Map<object, number>();

  constructor(options: DiskRoomOptions) {
    this.#options = options;
  }

  /** Reserves space for at most `bytes`. Returns null if there is too little. */
  async take(bytes: number): Promise<Room | null> {
    const room: Room = {
      use: (written) => this.#expected.set(room, Math.max(0, (this.#expected.get(room) ?? 0) - written)),
      [Symbol.dispose]: () => this.#expected.delete(room),
    };
    this.#expected.set(room, bytes);
    if (this.#options.reserve === 0) {
      return room;
    }
    try {
      // Summed before the disk is measured: bytes written in between count twice, but never not at all.
      const expected = [...this.#expected.values()].reduce((sum, each) => sum + each, 0);
      if ((await this.#options.freeBytes()) - expected >= this.#options.reserve) {
        return room;
      }
    } catch (error) {
      room[Symbol.dispose]();
      throw error;
    }
    room[Symbol.dispose]();
    return null;
  }
}
