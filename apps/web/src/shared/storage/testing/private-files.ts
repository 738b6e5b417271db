/** The private file system of an origin and its locks, in memory, for tests of recordings. */
import { vi } from 'vitest';

/** A file of the browser: bytes written to a stream reach the file when the stream closes. */
export class PrivateFile {
  readonly kind = 'file';
  readonly name: string;
  content = new Uint8Array();
  /** Time of the last write, in milliseconds since the Unix epoch. */
  writtenAt = 0;
  /** Number of streams that were opened. */
  streams = 0;
  /** Number of bytes that the disk accepts. */
  room = Number.POSITIVE_INFINITY;
  /** A write to the disk waits for this. */
  disk: Promise<void> = Promise.resolve();

  constructor(name: string) {
    this.name = name;
  }

  readonly getFile = async () => new File([this.content], this.name, { lastModified: this.writtenAt });

  readonly createWritable = async ({ keepExistingData = false } = {}) => {
    this.streams++;
    let data = keepExistingData ? this.content : new Uint8Array();
    let position = 0;
    return {
      seek: async (to: number) => {
        position = to;
      },
      write: async (bytes: Uint8Array) => {
        if (data.length + bytes.length > this.room) {
          throw new DOMException('full', 'QuotaExceededError');
        }
        await this.disk;
        const longer = new Uint8Array(position + bytes.length);
        longer.set(data.subarray(0, position));
        longer.set(bytes, position);
        data = longer;
        position += bytes.length;
      },
      close: async () => {
        this.content = data;
      },
    };
  };
}

export class PrivateFolder {
  readonly files = new Map<string, PrivateFile>();

  /** Files that the product creates are made by this function. */
  make = (name: string): PrivateFile => new PrivateFile(name);

  readonly getFileHandle = async (name: string, { create = false } = {}): Promise<PrivateFile> => {
    const file = this.files.get(name) ?? (create ? this.make(name) : null);
    if (file === null) {
      throw new DOMException('There is no such file.', 'NotFoundError');
    }
    this.files.set(name, file);
    return file;
  };

  readonly removeEntry = async (name: string): Promise<void> => {
    if (!this.files.delete(name)) {
      throw new DOMException('There is no such file.', 'NotFoundError');
    }
  };

  async *entries() {
    yield* [...this.files];
  }
}

/**
 * Gives the test an empty private file system until `vi.unstubAllGlobals`. A folder exists after a request with `create`.
 *
 * @returns The root, and its folders by name.
 */
export function fakePrivateFiles() {
  const folders = new Map<string, PrivateFolder>();
  const held = new Set<string>();
  const root = {
    getDirectoryHandle: async (name: string, { create = false } = {}) => {
      const folder = folders.get(name) ?? (create ? new PrivateFolder() : null);
      if (folder === null) {
        throw new DOMException('There is no such folder.', 'NotFoundError');
      }
      folders.set(name, folder);
      return folder;
    },
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', {
    storage: { getDirectory: async () => root },
    locks: {
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
      request: async (name: string, task: () => Promise<void>) => {
        held.add(name);
        await task();
        held.delete(name);
      },
    },
  });
  return { root, folders };
}
