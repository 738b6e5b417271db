/** The frame around a protocol: its reader, its progress, its cancel sequence and its report. */
import type { Clock } from '@wirebench/clock';
import { ProgressMeter } from '../progress-meter.ts';
import { type ByteLink, LinkReader } from './byte-link.ts';
import { CAN, NAK, WANT_CRC } from './control-bytes.ts';
import { TransferEnd } from './transfer-end.ts';
import type {
  FileOffer,
  FileReport,
  FileStore,
  IncomingFile,
  OutgoingFile,
  TransferOptions,
  TransferReport,
} from './transfer-types.ts';

const BACKSPACE = 0x08;
/**
 * Cancels any of the protocols: more CANs than one needs, then backspaces, which take them off a command line again
 * (ZMODEM, section 7.5).
 */
const cancelSequence = Uint8Array.from([...Array(8).fill(CAN), ...Array(8).fill(BACKSPACE)]);

/** After a cancel: the line is quiet when nothing has come for this time, in milliseconds. */
const QUIET = 500;
/** Longest drain after a cancel, in milliseconds. */
const DRAIN_LIMIT = 3_000;
/** Number of times that a side which asks again is cancelled. */
const MAX_CANCELS = 3;
/**
 * Longest wait for the first request of a side that had said nothing before the cancel, in milliseconds. Its program may
 * just be starting, and `rb` drops what came before it asked.
 */
const FIRST_REQUEST_LIMIT = 4_000;

/** Bytes read from a file at once. */
const READ_BYTES = 1 << 16;

export class TransferSession {
  readonly reader: LinkReader;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly byteTime: number;
  readonly files: FileReport[] = [];
  repeats = 0;
  readonly #link: ByteLink;
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
    this.#link = options.link;
    this.clock = options.clock;
    this.byteTime = options.byteTime ?? 0;
    this.reader = new LinkReader(options.link, options.clock, options.signal);
  }

  /** @throws TransferEnd after a cancel, or if the link is closed. */
  async write(bytes: Uint8Array): Promise<void> {
    this.checkCancel();
    try {
      await this.#link.write(bytes);
    } catch (error) {
      throw new TransferEnd('closed', { cause: error });
    }
    this.checkCancel();
  }

  /** @throws TransferEnd after a cancel. */
  checkCancel(): void {
    if (this.#options.signal?.aborted) {
      throw new TransferEnd('cancelled');
    }
  }

  /** Starts the progress of a file. */
  track(name: string, size: number | null, count: number | null, from = 0): FileProgress {
    const index = this.files.length;
    const meter = new ProgressMeter(this.clock, size ?? 0, from);
    const isTotalKnown = size !== null;
    const show = (bytes: number) => {
      const progress = meter.add(bytes);
      this.#options.onProgress?.({ ...progress, name, index, count, isTotalKnown, repeats: this.repeats });
    };
    show(0);
    return {
      moveTo: (position) => show(position - meter.sent),
      get position() {
        return meter.sent;
      },
    };
  }

  async run(protocol: () => Promise<void>): Promise<TransferReport> {
    const begun = this.clock.now();
    let outcome: TransferReport['outcome'] = 'complete';
    try {
      this.checkCancel();
      await protocol();
    } catch (error) {
      if (!(error instanceof TransferEnd)) {
        this.reader.close();
        throw error;
      }
      outcome = await this.#cleanUp(error);
    }
    const { files, repeats } = this;
    const rest = this.reader.close();
    return { outcome, files, repeats, duration: this.clock.now() - begun, rest };
  }

  /**
   * Informs the other side that the transfer is over, and drains the line. Text of a side that has left stays for the log.
   *
   * @returns The outcome, which is `still-asking` if the other side goes on asking after all cancels.
   */
  async #cleanUp({ outcome }: TransferEnd): Promise<TransferReport['outcome']> {
    if (outcome === 'closed' || outcome === 'no-batch-end' || outcome === 'peer-left') {
      return outcome;
    }
    this.reader.beginEnd();
    try {
      if (outcome === 'peer-cancelled') {
        await this.reader.drain(QUIET, DRAIN_LIMIT);
        return outcome;
      }
      return (await this.#cancelPeer()) || outcome !== 'cancelled' ? outcome : 'still-asking';
    } catch {
      // The link was closed: nothing is left to clean.
      return outcome;
    }
  }

  /** Cancels the other side, again when it asks after that. Returns true once it is quiet. */
  async #cancelPeer(): Promise<boolean> {
    const { reader } = this;
    for (let cancels = 0; cancels < MAX_CANCELS; cancels++) {
      await this.#link.write(cancelSequence);
      let last = await reader.drain(QUIET, DRAIN_LIMIT);
      if (last.length === 0 && !reader.hasHeard && (await reader.more(FIRST_REQUEST_LIMIT))) {
        last = await reader.drain(QUIET, DRAIN_LIMIT);
      }
      if (!isRequest(last)) {
        return true;
      }
    }
    return false;
  }
}

/** Returns true for bytes that end with a request for a block, or that have a hex header of ZMODEM. */
function isRequest(bytes: Uint8Array): boolean {
  const last = bytes.at(-1);
  const text = new TextDecoder('latin1').decode(bytes);
  return last === WANT_CRC || last === NAK || text.includes('**\x18B0');
}

export interface FileProgress {
  readonly position: number;
  /** Sets the number of bytes that the receiver has. */
  moveTo(position: number): void;
}

/** Reads parts of a file through a buffer. */
export class FileWindow {
  readonly #file: OutgoingFile;
  #from = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(file: OutgoingFile) {
    this.#file = file;
  }

  /**
   * Reads up to `count` bytes; fewer at the end of the file only.
   *
   * @throws TransferEnd if the file cannot be read, or has become shorter.
   */
  async read(from: number, count: number): Promise<Uint8Array> {
    const to = Math.min(from + count, this.#file.size);
    if (from < this.#from || to > this.#from + this.#bytes.length) {
      const end = Math.min(Math.max(from + READ_BYTES, to), this.#file.size);
      let bytes: Uint8Array;
      try {
        bytes = await this.#file.read(from, end);
      } catch (error) {
        throw new TransferEnd('unreadable', { cause: error });
      }
      if (bytes.length !== end - from) {
        throw new TransferEnd('unreadable');
      }
      this.#from = from;
      this.#bytes = bytes;
    }
    return this.#bytes.subarray(from - this.#from, to - this.#from);
  }
}

/** Largest file that is received, in bytes. A sender without an end must not fill the memory. */
const maxReceivedBytes = 1 << 30;

/** A received file with its rules: sizes are bounded, and the store is called for the end exactly once. */
export class Receiving {
  readonly offer: FileOffer;
  readonly from: number;
  readonly #session: TransferSession;
  readonly #file: IncomingFile;
  readonly #progress: FileProgress;
  #bytes: number;
  #isClosed = false;

  private constructor(
    session: TransferSession,
    offer: FileOffer,
    file: IncomingFile,
    from: number,
    count: number | null,
  ) {
    this.#session = session;
    this.offer = offer;
    this.#file = file;
    this.from = from;
    this.#bytes = from;
    this.#progress = session.track(offer.name, offer.size, count, from);
  }

  /**
   * Opens a file in the store. Returns null if it is skipped.
   *
   * @param confirm Returns true if the sender has the same bytes as the kept ones. Default: never.
   */
  static async open(
    session: TransferSession,
    store: FileStore,
    offer: FileOffer,
    confirm: (file: IncomingFile) => Promise<boolean> = async () => false,
    count: number | null = null,
  ): Promise<Receiving | null> {
    if ((offer.size ?? 0) > maxReceivedBytes) {
      throw new TransferEnd('too-large');
    }
    const file = await stored(() => store.open(offer));
    if (file === null) {
      session.files.push({ name: offer.name, bytes: 0, from: 0, state: 'skipped' });
      return null;
    }
    const resumes = file.kept > 0 && (await confirm(file));
    if (file.kept > 0 && !resumes) {
      file.restart();
    }
    return new Receiving(session, offer, file, resumes ? file.kept : 0, count);
  }

  /** Bytes that are stored. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#bytes + bytes.length > maxReceivedBytes) {
      throw new TransferEnd('too-large');
    }
    await stored(async () => this.#file.write(bytes));
    this.#bytes += bytes.length;
    this.#progress.moveTo(this.#bytes);
  }

  /** Ends the file. Later calls do nothing. */
  async close(state: 'complete' | 'partial'): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    const { name, size, isNameCut } = this.offer;
    const isOther = state === 'complete' && size !== null && size !== this.#bytes;
    const notes = { ...(isOther && { announced: size }), ...(isNameCut === true && { isNameCut }) };
    this.#session.files.push({ name, bytes: this.#bytes, from: this.from, state, ...notes });
    await stored(async () => this.#file.close(state === 'complete'));
  }
}

async function stored<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new TransferEnd('unstorable', { cause: error });
  }
}
