/**
 * Room on a disk for files that are on their way in: what one of them will still take is kept free of the others, and a reserve
 * of all of them for the database beside them. Counts in this process. Knows neither uploads nor users.
 */
export interface DiskRoomOptions {
  /** Bytes that stay free whatever arrives; 0 does not look. */
  readonly reserve: number;
  /** Bytes that are free now. */
  readonly freeBytes: () => Promise<number>;
}

/** Room for one file until its disposal. */
export interface Room extends Disposable {
  /** `bytes` of it are on the disk. */
  use(bytes: number): void;
}

export class DiskRoom {
  readonly #options: DiskRoomOptions;
  /** Bytes that are still to come, by the file that they belong to. */
  readonly #expected = new Map<object, number>();

  constructor(options: DiskRoomOptions) {
    this.#options = options;
  }

  /** Room for at most `bytes`; null when there is none. */
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
      // Counted before the disk is asked: what is written meanwhile counts twice and never not at all.
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
