/** Options, files and results that all transfer protocols share. */
import type { Clock } from '@wirebench/clock';
import type { FileSource } from '../jobs/send-file.ts';
import type { SendProgress } from '../progress-meter.ts';
import type { ByteLink } from './byte-link.ts';
import type { TransferOutcome } from './transfer-end.ts';

/** `xmodem-1k` differs from `xmodem` for the sender only: a receiver takes blocks of both sizes. */
export type TransferProtocol = 'xmodem' | 'xmodem-1k' | 'ymodem' | 'zmodem';

/** Names of the protocols, on the screen and in the log. */
export const protocolNames = {
  xmodem: 'XMODEM',
  'xmodem-1k': 'XMODEM-1K',
  ymodem: 'YMODEM',
  zmodem: 'ZMODEM',
} as const satisfies Record<TransferProtocol, string>;

export interface OutgoingFile extends FileSource {
  /** Last change, in milliseconds since the Unix epoch; null if unknown. */
  readonly modified: number | null;
}

/** A file as its sender announces it. */
export interface FileOffer {
  /** Without folders, control characters and characters that file systems refuse. Never empty. */
  readonly name: string;
  /** True: the name is the beginning of the sender's, which is longer than file systems take or than its announcement. */
  readonly isNameCut?: boolean;
  /** Bytes; null if the sender does not say. */
  readonly size: number | null;
  /** Last change, in milliseconds since the Unix epoch; null if the sender does not say. */
  readonly modified: number | null;
}

/** A file that is being received. */
export interface IncomingFile {
  /** Bytes that are there from an interrupted transfer; 0 for a new file. */
  readonly kept: number;
  /** CRC-32 of the kept bytes. ZMODEM compares it with the sender's before it resumes. */
  keptCrc(): Promise<number>;
  /** Drops the kept bytes: they belong to another file. */
  restart(): void;
  /** Appends bytes. Rejects if they cannot be stored. The caller does not change them afterwards. */
  write(bytes: Uint8Array): Promise<void> | void;
  /** Called once at the end. @param isWhole False: the transfer was interrupted. */
  close(isWhole: boolean): Promise<void> | void;
}

/** Takes received files. */
export interface FileStore {
  /** Returns the file to write to; null to skip it. */
  open(offer: FileOffer): Promise<IncomingFile | null>;
}

export interface TransferProgress extends SendProgress {
  readonly name: string;
  /** Index of the file, from 0. */
  readonly index: number;
  /** Number of files; null if the sender does not say. */
  readonly count: number | null;
  /** True: `total` is the size of the file. False: the size is unknown. */
  readonly isTotalKnown: boolean;
  /** Blocks that were sent or received more than once. */
  readonly repeats: number;
}

export interface TransferOptions {
  readonly link: ByteLink;
  readonly clock: Clock;
  /** Cancels the transfer. The other side is informed, and the line is drained. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
  /** Time of a byte on the wire, in milliseconds. Added to time limits. Default: 0. */
  readonly byteTime?: number;
}

export interface FileReport {
  readonly name: string;
  /** Bytes of the file that the receiver has, including those it had before. */
  readonly bytes: number;
  /** Position from which this transfer went on; 0 for a new file. */
  readonly from: number;
  readonly state: 'complete' | 'skipped' | 'partial';
  /** Size that the sender announced, where it sent another number of bytes. */
  readonly announced?: number;
  /** True: the name is the beginning of the sender's, which is longer than file systems take or than its announcement. */
  readonly isNameCut?: boolean;
}

export interface TransferReport {
  readonly outcome: TransferOutcome;
  readonly files: readonly FileReport[];
  readonly repeats: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Bytes that arrived after the end of the protocol, such as a prompt. */
  readonly rest: Uint8Array<ArrayBuffer>;
}
