/** A folder in memory with the handles of the File System standard, for tests without a disk. */

interface FakeFile {
  readonly content: string;
  /** Time of the last change, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export class FakeFolder {
  readonly kind = 'directory';
  readonly name: string;
  readonly entries = new Map<string, FakeFolder | FakeFile>();

  constructor(name: string) {
    this.name = name;
  }

  /** @param at Time of the change, in milliseconds since the Unix epoch. */
  put(name: string, content: string, at: number): void {
    this.entries.set(name, { content, at });
  }

  async *values() {
    for (const [name, entry] of [...this.entries]) {
      yield entry instanceof FakeFolder
        ? entry
        : { kind: 'file', name, getFile: async () => new File([entry.content], name, { lastModified: entry.at }) };
    }
  }

  /** The folder, with the type of a handle that the browser gives. */
  get handle(): FileSystemDirectoryHandle {
    return this as unknown as FileSystemDirectoryHandle;
  }
}
