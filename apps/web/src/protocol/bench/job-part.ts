/** Messages and jobs that take a while: conversations, files, repeated messages, the search for the baud rate. */
import type { PortSettings } from '@wirebench/port';
import type {
  BaudFinding,
  ConversationLog,
  Exchange,
  ExchangeOutcome,
  Hiding,
  PortNumber,
  RepeatReport,
  SendPace,
  SendProgress,
  SendReport,
} from '@wirebench/serial';
import type { TransferProgress, TransferProtocol, TransferRequest } from '@wirebench/serial/transfer';
import { type BenchPart, news, portFact } from './fact.ts';
import type { PortSource } from './port-part.ts';

/** Progress of a search for the baud rate: the rate at which it listens, its index from 0, and the number of rates. */
export interface BaudProgress {
  readonly rate: number;
  readonly index: number;
  readonly count: number;
}

/** A file that a board has sent. */
export interface ReceivedFile {
  /** Safe to save under. */
  readonly name: string;
  readonly content: Blob;
}

export interface TransferResult {
  /** True: every file is at the other side, or was skipped by it. */
  readonly isComplete: boolean;
  /** Whole files only. */
  readonly received: readonly ReceivedFile[];
}

/** A file transfer that runs on a port. */
export interface RunningTransfer {
  readonly direction: 'send' | 'receive';
  readonly protocol: TransferProtocol;
  /** Null until the first file begins. */
  readonly progress: TransferProgress | null;
}

/** The board waits for a file, or wants to send one. */
export interface TransferOffer extends TransferRequest {
  /** Another number for each request that is not the repetition of one. */
  readonly id: number;
}

/** Calls for messages and jobs of a port. */
export interface JobCalls {
  /**
   * Resolves when the port has accepted the bytes.
   *
   * @param hidden True: the log says how many bytes were sent, and not which. A text: the log has this name.
   */
  send(port: PortNumber, bytes: Uint8Array, hidden?: Hiding): void;
  /**
   * Begins a conversation with the board on `port`: from now on no received byte is lost to it. The caller chooses a
   * unique number and closes it.
   */
  openConversation(port: PortNumber, conversation: number): void;
  /**
   * Sends, and waits for the first of some answers. One exchange of a conversation at a time. The caller chooses a
   * unique ticket, with which `endWait` ends the wait.
   */
  exchange(conversation: number, exchange: Exchange, ticket: number): ExchangeOutcome;
  /** Ends a conversation. Returns everything that passed. */
  closeConversation(conversation: number): ConversationLog;
  /** Resolves after `duration` milliseconds, also in a hidden tab. */
  pause(duration: number, ticket: number): void;
  endWait(ticket: number): void;
  /**
   * Sends a file piece by piece, `pace` by `pace`. Returns the outcome, also after an end by ticket or by a lost
   * port. The tick contains the progress.
   */
  sendFile(port: PortNumber, file: File, pace: SendPace, ticket: number): SendReport;
  /**
   * Sends files by a protocol that confirms every block. Returns the outcome, also after an end by ticket or by a lost
   * port. The tick contains the progress.
   *
   * @param resume ZMODEM only: the board continues a file that it has a part of.
   */
  transferTo(
    port: PortNumber,
    files: readonly File[],
    protocol: TransferProtocol,
    resume: boolean,
    ticket: number,
  ): TransferResult;
  /** Receives files by a protocol, as `transferTo` sends them. */
  transferFrom(port: PortNumber, protocol: TransferProtocol, ticket: number): TransferResult;
  /** Sends at once, and again every `every` milliseconds, until the ticket or a lost port ends it. */
  repeat(port: PortNumber, bytes: Uint8Array, every: number, ticket: number): RepeatReport;
  /**
   * Searches for the baud rate of the open port, or of `source` if none is open. An open port is closed for the
   * search, and reopened with its settings. The tick contains the progress. The ticket ends the search.
   */
  findBaudRate(port: PortNumber, source: PortSource, settings: PortSettings, ticket: number): BaudFinding;
}

export const jobPart = {
  quiet: ['endWait', 'pause', 'closeConversation'],
  facts: {
    /** Progress of the file that each port sends; null for no file. */
    sends: portFact<SendProgress | null>(null, ['sent', 'total', 'rate', 'left']),
    transfers: portFact<RunningTransfer | null>(null, ['progress']),
    transferOffers: portFact<TransferOffer | null>(null),
    baudSearches: portFact<BaudProgress | null>(null),
    /** Number of times each repeated message was sent, by the ticket of its call. */
    repeats: news<Readonly<Record<number, number>>>({}),
  },
} satisfies BenchPart<JobCalls>;
