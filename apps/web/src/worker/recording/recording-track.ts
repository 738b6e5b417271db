/**
 * One stream of a recording: the text, or the bytes of a port. It is written to a file, or to several numbered files
 * of a chosen size. Bytes are gathered until the buffer is full or `write` is called.
 */
import type { RecordingFile } from './recording-file.ts';

/** Bytes gathered before they are written. */
const bufferBytes = 256 << 10;
const newline = 0x0a;

export interface RecordingTrackOptions {
  /** Opens the file of a part, from 1 on. */
  readonly open: (part: number) => Promise<RecordingFile>;
  /** Size of a part in bytes; null: one part. */
  readonly splitBytes: number | null;
  /** True: parts are cut only after a newline. A line longer than a part gets a part of its own. */
  readonly keepsLines: boolean;
  /** Called if the next part cannot be opened, or the last one cannot be closed. */
  readonly onFailure: (error: unknown) => void;
}

export class RecordingTrack {
  /** Bytes so far. */
  bytes = 0;
  readonly #options: RecordingTrackOptions;
  readonly #buffer = new Uint8Array(bufferBytes);
  readonly #names: string[] = [];
  #file: RecordingFile;
  #filled = 0;
  #part = 1;
  /** Bytes of the current part, those in the buffer included. */
  #partBytes = 0;
  /** Opening of the next part, and the bytes that wait for it. */
  #opening: Promise<void> | null = null;
  readonly #waiting: Uint8Array<ArrayBuffer>[] = [];
  /** Error of opening the next part; null without one. */
  #failure: { readonly reason: unknown } | null = null;

  static async open(options: RecordingTrackOptions): Promise<RecordingTrack> {
    return new RecordingTrack(options, await options.open(1));
  }

  private constructor(options: RecordingTrackOptions, file: RecordingFile) {
    this.#options = options;
    this.#file = file;
  }

  get durable(): boolean {
    return this.#file.durable;
  }

  /** Number of files that hold anything, on the disk or not yet. */
  get files(): number {
    const isNamed = this.#names.at(-1) === this.#file.name;
    return this.#names.length + (isNamed || this.#partBytes === 0 ? 0 : 1);
  }

  /** Names of the files that hold anything on the disk. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Appends bytes, which the caller may reuse afterwards. Throws the browser's error. */
  append(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.#put(bytes);
  }

  /** Writes gathered bytes to the file. Throws the browser's error. */
  write(): void {
    if (this.#filled > 0 && this.#opening === null) {
      this.#file.write(this.#buffer.subarray(0, this.#filled));
      this.#filled = 0;
      if (this.#names.at(-1) !== this.#file.name) {
        this.#names.push(this.#file.name);
      }
    }
  }

  flush(): void {
    if (this.#opening === null) {
      this.#file.flush();
    }
  }

  /** Writes what is left and closes the file. Deletes an empty one. Rejects if bytes are missing in the file. */
  async close(): Promise<void> {
    while (this.#opening !== null) {
      await this.#opening;
    }
    try {
      if (this.#failure !== null) {
        throw this.#failure.reason;
      }
      this.write();
    } finally {
      await (this.#partBytes === 0 ? this.#file.discard() : this.#file.close());
    }
  }

  /** Closes the current file after a failure, without writing. */
  async abandon(): Promise<void> {
    this.#waiting.length = 0;
    while (this.#opening !== null) {
      await this.#opening;
    }
    await (this.#names.at(-1) === this.#file.name ? this.#file.close() : this.#file.discard());
  }

  #put(bytes: Uint8Array): void {
    if (this.#opening !== null) {
      this.#waiting.push(bytes.slice());
      return;
    }
    for (let from = 0; from < bytes.length; ) {
      const fits = this.#fitting(bytes, from);
      if (fits === 0) {
        this.#waiting.push(bytes.slice(from));
        this.write();
        this.#opening = this.#openNext();
        return;
      }
      this.#gather(bytes.subarray(from, from + fits));
      from += fits;
    }
  }

  #gather(bytes: Uint8Array): void {
    this.#partBytes += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + this.#buffer.length - this.#filled);
      this.#buffer.set(piece, this.#filled);
      this.#filled += piece.length;
      from += piece.length;
      if (this.#filled === this.#buffer.length) {
        this.write();
      }
    }
  }

  /** Returns the number of bytes from `from` on that go into the current part. */
  #fitting(bytes: Uint8Array, from: number): number {
    const { splitBytes, keepsLines } = this.#options;
    const rest = bytes.length - from;
    const room = splitBytes === null ? rest : splitBytes - this.#partBytes;
    if (rest <= room) {
      return rest;
    }
    if (!keepsLines) {
      return Math.max(0, room);
    }
    const lastEnd = room > 0 ? bytes.lastIndexOf(newline, from + room - 1) : -1;
    if (lastEnd >= from) {
      return lastEnd + 1 - from;
    }
    if (this.#partBytes > 0) {
      return 0;
    }
    const end = bytes.indexOf(newline, from);
    return end === -1 ? rest : end + 1 - from;
  }

  async #openNext(): Promise<void> {
    try {
      const full = this.#file;
      const next = await this.#options.open(this.#part + 1);
      this.#file = next;
      this.#part++;
      this.#partBytes = 0;
      await full.close();
      this.#opening = null;
      for (const bytes of this.#waiting.splice(0)) {
        this.#put(bytes);
      }
    } catch (error) {
      this.#failure = { reason: error };
      this.#opening = null;
      this.#options.onFailure(error);
    }
  }
}
