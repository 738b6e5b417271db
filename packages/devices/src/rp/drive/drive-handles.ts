/**
 * The drive as a page has it by File System Access: a `FileSystemDirectoryHandle` with its files. A write goes to the
 * board at once, or when the file is closed, and fails as in Chromium when the board restarts and the drive vanishes.
 */
import { DriveFailure } from './drive-blocks.ts';
import type { FatVolume } from './fat-volume.ts';

export interface DriveOptions {
  /** `at-once`: write() waits for the drive. `at-close`: the system's cache holds everything until close(). */
  readonly flush: 'at-once' | 'at-close';
  /**
   * End of a copy whose last block restarted the board. `error`: close() fails although all was written, as on macOS.
   * `ok`: the system notices nothing.
   */
  readonly end: 'error' | 'ok';
}

const texts = {
  NotFoundError: 'A requested file or directory could not be found at the time an operation was processed.',
  InvalidStateError:
    'An operation that depends on state cached in an interface object was made but the state had changed since it was read from disk.',
  QuotaExceededError: 'The operation failed because it would cause the application to exceed its storage quota.',
  TypeMismatchError: 'The path supplied exists, but was not an entry of requested type.',
  NoModificationAllowedError: 'An attempt was made to modify an object where modifications are not allowed.',
} as const;

function fileError(name: keyof typeof texts): DOMException {
  return new DOMException(texts[name], name);
}

/** Runs a call on a drive that may be gone. */
async function onDrive<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof DriveFailure ? fileError(error.isGone ? 'InvalidStateError' : 'NotFoundError') : error;
  }
}

/** The place in the system's tree where the drive appears. Handles of it stay, and work again when it is back. */
export interface DrivePlace {
  readonly options: DriveOptions;
  /** Mounts the drive if it is there. */
  mount(): Promise<FatVolume | null>;
}

async function volumeOf(place: DrivePlace): Promise<FatVolume> {
  const volume = await onDrive(() => place.mount());
  if (volume === null) {
    throw fileError('NotFoundError');
  }
  return volume;
}

export class DriveDirectoryHandle {
  readonly kind = 'directory';
  readonly name: string;
  readonly #drive: DrivePlace;

  constructor(name: string, drive: DrivePlace) {
    this.name = name;
    this.#drive = drive;
  }

  async getFileHandle(name: string, { create = false }: { readonly create?: boolean } = {}): Promise<DriveFileHandle> {
    const volume = await volumeOf(this.#drive);
    const exists = volume.files().some((file) => file.name === name.toUpperCase());
    if (!exists && !create) {
      throw fileError('NotFoundError');
    }
    return new DriveFileHandle(name, this.#drive);
  }

  async getDirectoryHandle(name: string): Promise<never> {
    const exists = (await volumeOf(this.#drive)).files().some((file) => file.name === name.toUpperCase());
    throw fileError(exists ? 'TypeMismatchError' : 'NotFoundError');
  }

  async removeEntry(name: string): Promise<void> {
    const exists = (await volumeOf(this.#drive)).files().some((file) => file.name === name.toUpperCase());
    throw fileError(exists ? 'NoModificationAllowedError' : 'NotFoundError');
  }

  async *entries(): AsyncGenerator<[string, DriveFileHandle]> {
    for (const { name } of (await volumeOf(this.#drive)).files()) {
      yield [name, new DriveFileHandle(name, this.#drive)];
    }
  }

  async *keys(): AsyncGenerator<string> {
    for await (const [name] of this.entries()) {
      yield name;
    }
  }

  async *values(): AsyncGenerator<DriveFileHandle> {
    for await (const [, handle] of this.entries()) {
      yield handle;
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<[string, DriveFileHandle]> {
    return this.entries();
  }

  /** Returns the path to a file of this folder; null for other handles. */
  async resolve(handle: { readonly name: string }): Promise<string[] | null> {
    return handle instanceof DriveFileHandle && handle.isOn(this.#drive) ? [handle.name] : null;
  }

  async queryPermission(): Promise<PermissionState> {
    return 'granted';
  }

  async requestPermission(): Promise<PermissionState> {
    return 'granted';
  }

  async isSameEntry(other: unknown): Promise<boolean> {
    return other instanceof DriveDirectoryHandle && other.#drive === this.#drive;
  }
}

export class DriveFileHandle {
  readonly kind = 'file';
  readonly name: string;
  readonly #drive: DrivePlace;

  constructor(name: string, drive: DrivePlace) {
    this.name = name;
    this.#drive = drive;
  }

  isOn(place: DrivePlace): boolean {
    return this.#drive === place;
  }

  async getFile(): Promise<File> {
    const volume = await volumeOf(this.#drive);
    const file = volume.files().find(({ name }) => name === this.name.toUpperCase());
    if (file === undefined) {
      throw fileError('NotFoundError');
    }
    const data = await onDrive(() => volume.read(file));
    return new File([data], this.name, { lastModified: file.modified.getTime() });
  }

  /** Begins an empty file. Its content is in a file beside it until it is closed, as Chromium has it. */
  async createWritable(): Promise<DriveWritable> {
    return new DriveWritable(this.name, await volumeOf(this.#drive), this.#drive);
  }

  /** Exists in the private file system only. */
  async createSyncAccessHandle(): Promise<never> {
    throw fileError('InvalidStateError');
  }

  async queryPermission(): Promise<PermissionState> {
    return 'granted';
  }

  async requestPermission(): Promise<PermissionState> {
    return 'granted';
  }

  async isSameEntry(other: unknown): Promise<boolean> {
    return other instanceof DriveFileHandle && other.name === this.name && other.#drive === this.#drive;
  }
}

type Chunk = BufferSource | Blob | string;
type Write = Chunk | { readonly type: 'write'; readonly data: Chunk; readonly position?: number };

export class DriveWritable extends WritableStream<Write> {
  readonly #file: WrittenFile;

  constructor(name: string, volume: FatVolume, drive: DrivePlace) {
    const file = new WrittenFile(name, volume, drive);
    super({
      write: async (chunk) => {
        const { data, position } = isWrite(chunk) ? chunk : { data: chunk, position: undefined };
        await onDrive(async () => file.write(await bytesOf(data), position));
      },
      close: () => onDrive(() => file.close()),
    });
    this.#file = file;
  }

  async write(chunk: Write): Promise<void> {
    const writer = this.getWriter();
    try {
      await writer.write(chunk);
    } finally {
      writer.releaseLock();
    }
  }

  async seek(position: number): Promise<void> {
    this.#file.seek(position);
  }

  async truncate(size: number): Promise<void> {
    this.#file.truncate(size);
  }
}

/** A file that is being written: its clusters are sent once each, in order. */
class WrittenFile {
  readonly #name: string;
  readonly #volume: FatVolume;
  readonly #drive: DrivePlace;
  #content = new Uint8Array();
  #position = 0;
  /** Clusters sent so far. */
  #sent = 0;
  #cluster: number | null = null;

  constructor(name: string, volume: FatVolume, drive: DrivePlace) {
    this.#name = name;
    this.#volume = volume;
    this.#drive = drive;
  }

  seek(position: number): void {
    this.#position = position;
  }

  truncate(size: number): void {
    const content = new Uint8Array(size);
    content.set(this.#content.subarray(0, size));
    this.#content = content;
    this.#position = Math.min(this.#position, size);
  }

  async write(data: Uint8Array, position = this.#position): Promise<void> {
    const end = position + data.length;
    if (end > this.#content.length) {
      if (end > this.#volume.free) {
        throw fileError('QuotaExceededError');
      }
      const grown = new Uint8Array(end);
      grown.set(this.#content);
      this.#content = grown;
    }
    this.#content.set(data, position);
    this.#position = end;
    if (this.#drive.options.flush === 'at-once') {
      await this.#send(Math.floor(this.#content.length / this.#volume.clusterBytes));
    }
  }

  async close(): Promise<void> {
    const { clusterBytes } = this.#volume;
    try {
      await this.#send(Math.ceil(this.#content.length / clusterBytes));
      const cluster = this.#place();
      await this.#volume.enter(this.#name, cluster, this.#content.length);
    } catch (error) {
      const isWritten = this.#sent * clusterBytes >= this.#content.length;
      if (!(error instanceof DriveFailure && isWritten && this.#drive.options.end === 'ok')) {
        throw error;
      }
    }
  }

  async #send(clusters: number): Promise<void> {
    const { clusterBytes } = this.#volume;
    while (this.#sent < clusters) {
      const start = this.#sent * clusterBytes;
      await this.#volume.writeCluster(this.#place() + this.#sent, this.#content.subarray(start, start + clusterBytes));
      this.#sent++;
    }
  }

  #place(): number {
    this.#cluster ??= this.#volume.findRun(this.#content.length);
    if (this.#cluster === null) {
      throw fileError('QuotaExceededError');
    }
    return this.#cluster;
  }
}

function isWrite(chunk: Write): chunk is Exclude<Write, Chunk> {
  return typeof chunk === 'object' && 'type' in chunk && chunk.type === 'write';
}

async function bytesOf(data: Chunk): Promise<Uint8Array> {
  if (typeof data === 'string') {
    return new TextEncoder().encode(data);
  }
  if (data instanceof Blob) {
    return new Uint8Array(await data.arrayBuffer());
  }
  return data instanceof ArrayBuffer
    ? new Uint8Array(data.slice(0))
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}
