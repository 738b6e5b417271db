/**
 * Reads and writes tar archives: the ustar format of POSIX.1-1988, regular files only, streamed in both directions.
 * Sizes of 8 GiB and more are written in base 256, as GNU tar does.
 */
import type { FileHandle } from 'node:fs/promises';

const BLOCK = 512;
/** Bytes in memory at a time. */
const CHUNK = 1_048_576;

/** Offsets and lengths of a header's fields. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const satisfies Readonly<Record<string, readonly [offset: number, length: number]>>;

const REGULAR_FILE = '0';
const MAGIC = 'ustar\x0000';
const LARGEST_OCTAL = 8 ** 11 - 1;

export interface TarEntry {
  /** Path with `/`, at most 100 bytes of UTF-8. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The file is not a tar archive, or it is truncated. */
export class TarError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TarError';
  }
}

export class TarWriter {
  readonly #file: FileHandle;
  readonly #seconds: number;

  /**
   * Writes to `file` from its current position.
   *
   * @param now Milliseconds since the Unix epoch, the date of every entry.
   */
  constructor(file: FileHandle, now: number) {
    this.#file = file;
    this.#seconds = Math.floor(now / 1_000);
  }

  /**
   * Adds a file.
   *
   * @throws TarError if the length of `content` differs from the entry's size.
   */
  async add(entry: TarEntry, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    await this.#file.appendFile(header(entry, this.#seconds));
    let written = 0;
    for await (const chunk of content) {
      await this.#file.appendFile(chunk);
      written += chunk.length;
    }
    if (written !== entry.size) {
      throw new TarError(`${entry.name} has ${written} bytes instead of ${entry.size}`);
    }
    await this.#file.appendFile(Buffer.alloc(padding(written)));
  }

  /** Writes the end of the archive: two empty blocks. */
  async end(): Promise<void> {
    await this.#file.appendFile(Buffer.alloc(2 * BLOCK));
  }
}

/**
 * Yields the entries of `file` from its beginning, each with its content. The content has to be read before the next
 * entry is requested.
 *
 * @throws TarError if the file is not a tar archive.
 */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry & { content: AsyncIterable<Buffer> }> {
  for (let position = 0; ; ) {
    const block = await readExactly(file, position, BLOCK);
    if (block.every((byte) => byte === 0)) {
      return;
    }
    const entry = parseHeader(block);
    yield { ...entry, content: readContent(file, position + BLOCK, entry.size) };
    position += BLOCK + entry.size + padding(entry.size);
  }
}

async function* readContent(file: FileHandle, start: number, size: number): AsyncGenerator<Buffer> {
  for (let read = 0; read < size; read += CHUNK) {
    yield await readExactly(file, start + read, Math.min(CHUNK, size - read));
  }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) {
      throw new TarError('the archive ends too early');
    }
    read += bytesRead;
  }
  return buffer;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function header({ name, size }: TarEntry, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const write = (field: keyof typeof FIELDS, text: string) => block.write(text, FIELDS[field][0], 'utf8');
  if (Buffer.byteLength(name) > FIELDS.name[1]) {
    throw new TarError(`the name ${name} is too long`);
  }
  write('name', name);
  write('mode', octal(0o600, 7));
  write('uid', octal(0, 7));
  write('gid', octal(0, 7));
  if (size <= LARGEST_OCTAL) {
    write('size', octal(size, 11));
  } else {
    block.writeUInt8(0x80, FIELDS.size[0]);
    block.writeBigUInt64BE(BigInt(size), FIELDS.size[0] + 4);
  }
  write('modified', octal(seconds, 11));
  write('type', REGULAR_FILE);
  write('magic', MAGIC);
  write('checksum', `${octal(checksum(block), 6)}\0 `);
  return block;
}

function parseHeader(block: Buffer): TarEntry {
  const read = (field: keyof typeof FIELDS) => {
    const [offset, length] = FIELDS[field];
    return (
      block
        .toString('utf8', offset, offset + length)
        .split('\0', 1)[0]
        ?.trim() ?? ''
    );
  };
  if (Number.parseInt(read('checksum'), 8) !== checksum(block) || read('magic') !== 'ustar') {
    throw new TarError('the file is not a tar archive');
  }
  if (read('type') !== REGULAR_FILE) {
    throw new TarError(`${read('name')} is not a regular file`);
  }
  const inBase256 = block.readUInt8(FIELDS.size[0]) === 0x80;
  const size = inBase256 ? Number(block.readBigUInt64BE(FIELDS.size[0] + 4)) : Number.parseInt(read('size'), 8);
  if (!Number.isSafeInteger(size)) {
    throw new TarError(`${read('name')} has no size`);
  }
  return { name: read('name'), size };
}

/** Returns the sum of all bytes, with the checksum's own field counted as spaces. */
function checksum(block: Buffer): number {
  const [start, length] = FIELDS.checksum;
  return block.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 0x20 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
