/** Messages and jobs that take a while: conversations, pastes, files, repeated messages, the search for the baud rate. */
import type { PortSettings } from '@wirebench/port';
import type { RuleVerdict, TestRule } from '@wirebench/runs';
import type {
  BaudFinding,
  ConversationLog,
  Exchange,
  ExchangeOutcome,
  Hiding,
  PortNumber,
  QueueProgress,
  RepeatReport,
  SendPace,
  SendPieces,
  SendProgress,
  SendReport,
} from '@wirebench/serial';
import type { CodePasteEnd } from '@wirebench/serial/micropython';
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

export type Paste =
  /**
   * @property lines Bytes of each line with its ending.
   * @property pause Rest on the wire after each line, in milliseconds.
   * @property hidden As in `send`.
   */
  | {
      readonly kind: 'lines';
      readonly lines: readonly Uint8Array[];
      readonly pause: number;
      readonly hidden?: boolean | undefined;
    }
  /** Code for a board at Python's prompt, which runs it as a file. */
  | { readonly kind: 'code'; readonly lines: readonly string[] };

/** @property sent Lines that the port has taken; of code, those that the board has echoed. */
export type PasteOutcome = { readonly sent: number } & (
  | { readonly kind: 'cancelled' | 'closed' }
  /** The last four are ends of code. */
  | CodePasteEnd
);

/** Calls for messages and jobs of a port. */
export interface JobCalls {
  /**
   * Resolves when the port has accepted the bytes.
   *
   * @param hidden True: the log says how many bytes were sent, and not which. A text: the log has this name. False: the
   *   log has them. Undefined: the log has them unless they answer a prompt for a password.
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
  /** Begins to watch rules that decide about a run on `port`. The caller chooses a unique number and closes it. */
  openChecks(port: PortNumber, rules: readonly TestRule[], checks: number): void;
  /** Resolves when a rule that must not fire has fired, or after `closeChecks`. */
  brokenChecks(checks: number): void;
  /**
   * Waits until the rules that must fire have fired, or can no longer be expected to, and a moment longer. Returns the
   * verdicts, also after an end by ticket.
   *
   * @param hasPassed True: answers have passed, which a rule that fires withdraws.
   */
  closeChecks(checks: number, hasPassed: boolean, ticket: number): readonly RuleVerdict[];
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
  /**
   * Pastes lines or code, and lets what is typed follow behind. Returns the outcome, also after an end by ticket or by a
   * lost port. The tick contains the progress.
   */
  paste(port: PortNumber, paste: Paste, ticket: number): PasteOutcome;
  /** Sends texts and keys of a port in pieces from now on. Null: at once. */
  setPieces(port: PortNumber, pieces: SendPieces | null): void;
  /** Ends what a port is sending, and drops what waits behind it. */
  stopSending(port: PortNumber): void;
  /** Sends at once, and again every `every` milliseconds, until the ticket or a lost port ends it. */
  repeat(port: PortNumber, bytes: Uint8Array, every: number, ticket: number): RepeatReport;
  /**
   * Searches for the baud rate of the open port, or of `source` if none is open. An open port is closed for the
   * search, and reopened with its settings. The tick contains the progress. The ticket ends the search.
   */
  findBaudRate(port: PortNumber, source: PortSource, settings: PortSettings, ticket: number): BaudFinding;
}

export const jobPart = {
  quiet: ['endWait', 'pause', 'closeConversation', 'openChecks', 'brokenChecks', 'setPieces', 'stopSending'],
  facts: {
    /** Progress of the file that each port sends; null for no file. */
    sends: portFact<SendProgress | null>(null, ['sent', 'total', 'rate', 'left']),
    /** Progress of texts and keys that a port is sending; null if they take less than a second. */
    sending: portFact<QueueProgress | null>(null, ['sent', 'total']),
    /** Number of lines of each paste that the port has taken, by the ticket of its call. */
    pastedLines: news<Readonly<Record<number, number>>>({}),
    transfers: portFact<RunningTransfer | null>(null, ['progress']),
    transferOffers: portFact<TransferOffer | null>(null),
    baudSearches: portFact<BaudProgress | null>(null),
    /** Number of times each repeated message was sent, by the ticket of its call. */
    repeats: news<Readonly<Record<number, number>>>({}),
  },
} satisfies BenchPart<JobCalls>;
