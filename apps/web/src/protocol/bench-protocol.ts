/**
 * Protocol between page and bench: calls with answers, and one small tick after each change. Rows, bytes and files
 * travel only on request. All values can be cloned between threads.
 */
import type { PortSettings, SignalChange } from '@wirebench/port';
import type { Right } from '@wirebench/remote';
import type {
  BaudFinding,
  BenchStatus,
  ConversationLog,
  Exchange,
  ExchangeOutcome,
  Framing,
  Hiding,
  Hit,
  LineScope,
  LineTerm,
  NoticeLevel,
  NumberFormat,
  PlotSeries,
  PlotWindow,
  PortNumber,
  PortStatistics,
  RepeatReport,
  ResetMode,
  RowQuery,
  RowRange,
  SendPace,
  SendProgress,
  SendReport,
} from '@wirebench/serial';
import type { TransferProgress, TransferProtocol, TransferRequest } from '@wirebench/serial/transfer';
import type { DemoModel } from '../hardware/demo-device.ts';
import type { PortPlace } from '../hardware/permitted-ports.ts';
import type { BoardAnswer, BoardJob, BoardStatus } from './board-protocol.ts';
import type { CallMessage, FromWorker, ToWorker } from './calls/call-protocol.ts';
import type { ImprovAnswer, ImprovJob, ImprovStatus } from './improv-protocol.ts';
import type { CodeRange, Incident } from './incident.ts';
import type { RecordingRequest, RunningRecording, StoppedRecording } from './recording-protocol.ts';
import type { LogDump } from './rows/dump-lines.ts';
import type { AnsweredPage } from './rows/painted-row.ts';
import type { MarkTicks, RuleCounts, RuleEvent, RunningRule } from './rule-protocol.ts';

/**
 * Device behind a port: a board by its place in the browser's list, a simulated one, or the previous device, found
 * again after it was replugged.
 */
export type PortSource =
  | { readonly kind: 'serial'; readonly place: PortPlace }
  | { readonly kind: 'demo'; readonly model?: DemoModel }
  /** A port of another user's shared bench, by its number on that bench. */
  | { readonly kind: 'remote'; readonly port: number }
  | { readonly kind: 'same' };

/** Error name for a place from an older list. A retry with a new place may succeed. */
export const outdatedPlace = 'PlaceOutdatedError';

export type ByPort<Value> = Readonly<Record<PortNumber, Value>>;

export type PortNames = ByPort<string>;

export type ExportRequest =
  /**
   * @property shownOnly True: without lines that the console hides. The export waits until the search has found them.
   */
  | { readonly kind: 'text' | 'csv'; readonly portNames: PortNames; readonly shownOnly?: boolean }
  /** Points of the plot, as CSV. */
  | { readonly kind: 'plot'; readonly portNames: PortNames }
  | { readonly kind: 'raw'; readonly port: PortNumber };

/** Rows as text. */
export interface CopiedRows {
  /** UTF-8, without a line break at the end. */
  readonly text: Blob;
  /** Number of rows. */
  readonly rows: number;
}

/** Search request of a console. */
export interface FindRequest {
  /** Lines outside the scope are hidden. */
  readonly scope: LineScope;
  /** Terms to mark and step through. May be empty. */
  readonly terms: readonly LineTerm[];
  /** True: only lines that contain the terms are shown. */
  readonly matchesOnly: boolean;
}

/**
 * Lines of a log that shows a part of all: those of one port, or all but those of one port. Lines of a port are received,
 * sent, and notices about it.
 */
export type LogPart = PortNumber | `without-${PortNumber}`;

/** Selection and format of a log's rows. */
export interface RowLook {
  /** Null or missing: all lines. */
  readonly pane?: LogPart | null;
  /** True: the text layout shows every control byte, including colours and overwritten text. */
  readonly controls?: boolean;
}

export interface FindStatus {
  /** Changes with each request. */
  readonly request: number;
  /** Lines found so far; null without terms to find. */
  readonly count: number | null;
  /** Shown lines found so far; null if all lines are shown. */
  readonly shown: number | null;
  /** True: all lines in the ring have been searched. */
  readonly complete: boolean;
  /** Index of the current hit, 0 for the oldest; null without one. */
  readonly index: number | null;
  /** Sequence number of the current hit's line. */
  readonly sequence: number | null;
}

/** Numbers to plot. */
export interface PlotChoice {
  /** Null: all ports. */
  readonly port: PortNumber | null;
  readonly format: NumberFormat;
}

/** Shown part of the plot: a time range, or the newest `span` milliseconds. `span` null: the whole plot. */
export type PlotView = {
  /** In pixel columns. */
  readonly width: number;
  /** Ids of the hidden series. */
  readonly hidden: readonly number[];
} & ({ readonly from: number; readonly to: number } | { readonly from: null; readonly span: number | null });

export interface PlotPicture {
  readonly revision: number;
  readonly series: readonly PlotSeries[];
  /** Number of lines lost from the ring before they were read, because they came too fast. */
  readonly skippedLines: number;
  /** Milliseconds since the Unix epoch. Both are 0 for an empty plot. */
  readonly from: number;
  readonly to: number;
  readonly window: PlotWindow | null;
}

/** Progress of a search for the baud rate: the rate at which it listens, its index from 0, and the number of rates. */
export interface BaudProgress {
  readonly rate: number;
  readonly index: number;
  readonly count: number;
}

/** Calls of the page to the bench. Every call returns a promise; failures arrive as `CallError`. */
export interface BenchApi {
  /**
   * Sets the bytes that are kept of each port's received data. Rejects without a change if there is not enough
   * memory.
   */
  resize(ringBytes: number): void;
  connect(port: PortNumber, source: PortSource, settings: PortSettings): void;
  /** Closes the port and opens the same device again with other settings. */
  reopen(port: PortNumber, settings: PortSettings): void;
  disconnect(port: PortNumber): void;
  cancelReconnect(port: PortNumber): void;
  /** Sets whether the session waits for a board that disappears. False also ends a current wait. */
  setReconnect(port: PortNumber, enabled: boolean): void;
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
  setSignals(port: PortNumber, change: SignalChange): void;
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
   * Does a job on the board of a port in its raw REPL. Rejects if the port is not free; a failure of the board is part of
   * the answer. The tick contains the progress. The ticket stops the job.
   *
   * @param mayInterrupt True: the user agreed to interrupt the board's program.
   */
  boardJob(port: PortNumber, job: BoardJob, mayInterrupt: boolean, ticket: number): BoardAnswer;
  /**
   * Does a job on the board of a port by Improv. Rejects if the port is not free; a failure of the board is part of the
   * answer. The tick contains the progress. The ticket stops the job. A password is nowhere in the log.
   */
  improvJob(port: PortNumber, job: ImprovJob, ticket: number): ImprovAnswer;
  /** Sends at once, and again every `every` milliseconds, until the ticket or a lost port ends it. */
  repeat(port: PortNumber, bytes: Uint8Array, every: number, ticket: number): RepeatReport;
  /**
   * Searches for the baud rate of the open port, or of `source` if none is open. An open port is closed for the
   * search, and reopened with its settings. The tick contains the progress. The ticket ends the search.
   */
  findBaudRate(port: PortNumber, source: PortSource, settings: PortSettings, ticket: number): BaudFinding;
  statistics(port: PortNumber): PortStatistics;
  /** Starts a plot of these numbers. Null ends the plot. */
  plot(choice: PlotChoice | null): void;
  /** Returns null without a plot. */
  plotPicture(view: PlotView): PlotPicture | null;
  /** Returns the crashes and restarts in the log, newest first. */
  incidents(): readonly Incident[];
  /**
   * Sets the code ranges of the open ELF files. Lines with such addresses are found in the ring and among later
   * lines.
   */
  setCodeRanges(ranges: readonly CodeRange[]): void;
  /** Returns the core dumps that the log contains completely, newest last. */
  logDumps(): readonly LogDump[];
  /** Returns the text of a dump from its first mark to its last. Null if it is no longer kept. */
  logDumpText(id: number): string | null;
  /** Unfolds or folds the core dump of `port` that contains a line. */
  showDumpLines(port: PortNumber, sequence: number, shown: boolean): void;
  /**
   * Returns all lines of the core dump of `port` that contains a line, including lines that the console hides. Null
   * if the ring no longer holds its first line.
   */
  dumpLines(port: PortNumber, sequence: number): string | null;
  /** Sets the end of received lines from now on. */
  setFraming(port: PortNumber, framing: Framing): void;
  /** Resets the board by its control lines, and restores their levels afterwards. Resolves after that. */
  resetBoard(port: PortNumber, mode: ResetMode): void;
  /** Holds the transmit line low for 250 ms. */
  sendBreak(port: PortNumber): void;
  rows(query: RowQuery, look?: RowLook): AnsweredPage;
  /** Drops the search of a pane that was closed. */
  closePane(pane: LogPart): void;
  /** Sets the filter and the marked terms of the rows. Rejects without a change if the request is invalid. */
  find(request: FindRequest): void;
  /** Moves to another hit; null without hits. The first step goes to the newest hit at or before the line `from`. */
  findStep(direction: 'next' | 'previous', from: number): Hit | null;
  /**
   * Returns the number of the first line that arrived at `at` or later, in milliseconds since the Unix epoch. Null
   * without one.
   */
  lineFrom(at: number): number | null;
  /**
   * Returns the rows as text, one a line, without hidden lines. The tick reports the progress, and the ticket cancels it:
   * then the call rejects. Rejects if the text is too large for a clipboard.
   */
  copyRows(range: RowRange, pane?: LogPart | null, ticket?: number): CopiedRows;
  /** Replaces the rules that are watched. A rule with the same id and condition keeps its count. */
  setRules(rules: readonly RunningRule[]): void;
  ruleCounts(): RuleCounts;
  resetRuleCounts(): void;
  /** Returns the mark after or before the line `from`; null without marks. */
  markStep(direction: 'next' | 'previous', from: number): Hit | null;
  markTicks(): MarkTicks;
  /** Removes every line from the console. Later lines are stored and shown as usual. */
  clear(): void;
  /** Undoes every `clear` of the last minute. Returns false if there was none, or if the time is over. */
  undoClear(): boolean;
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void;
  /**
   * Returns the file's exact bytes. They stay in the browser until the page reads them. The tick contains the
   * progress. The ticket cancels the export, and the call then rejects.
   */
  exportFile(request: ExportRequest, ticket?: number): Blob;
  /** Starts a recording beside those that run. Returns its id. Rejects if a file cannot be created. */
  startRecording(request: RecordingRequest): string;
  /** Closes the files of a recording. Returns null if it is not running any more. */
  stopRecording(id: string): StoppedRecording | null;
  /** Unplugs or plugs in a demo device. */
  plugDemo(port: PortNumber, plugged: boolean): void;
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

export interface DeviceFacts {
  /**
   * `usb`: a device that the flasher works on, without a console. `remote`: a port of another user's shared bench. `log`:
   * no device, but an opened log.
   */
  readonly kind: 'serial' | 'demo' | 'usb' | 'remote' | 'log';
  /**
   * True: the demo device or the remote board is plugged in. Always true for a local board, whose plug is not
   * visible.
   */
  readonly plugged: boolean;
  /** Right to a remote port; null if it is not shared, or is not remote. */
  readonly right?: Right | null;
  /** Side whose connection to the shared bench is lost: this page or the host. Null while both are connected. */
  readonly away?: 'guest' | 'host' | null;
  /** True: the host reports that the board of a remote port is simulated. */
  readonly isSimulated?: boolean;
  /** True: the host of a remote port keeps hidden input out of every log. */
  readonly canHide?: boolean;
  /** Name of another guest of the shared bench that uses the remote port; null for none. */
  readonly user?: string | null;
}

export interface SpokenNotice {
  readonly sequence: number;
  readonly level: NoticeLevel;
  readonly text: string;
}

export interface BenchTick {
  readonly status: BenchStatus;
  /** Names of the guests of the shared bench that use a port now; null for the bench itself, or for no user. */
  readonly users: ByPort<string | null>;
  /** Names of the other people of the shared bench that type key by key now; null for none. */
  readonly typists: ByPort<string | null>;
  readonly devices: Readonly<Record<PortNumber, DeviceFacts | null>>;
  /** Running recordings, oldest first. */
  readonly recordings: readonly RunningRecording[];
  /** Progress of the file that each port sends; null for no file. */
  readonly sends: ByPort<SendProgress | null>;
  readonly transfers: ByPort<RunningTransfer | null>;
  readonly transferOffers: ByPort<TransferOffer | null>;
  readonly boards: ByPort<BoardStatus>;
  readonly improv: ByPort<ImprovStatus>;
  /** Number of times each repeated message was sent, by the ticket of its call. */
  readonly repeats: Readonly<Record<number, number>>;
  readonly baudSearches: ByPort<BaudProgress | null>;
  /** Bytes of the running export so far; null without an export. */
  readonly exported: number | null;
  /** Changes whenever the plot has changed. */
  readonly plotRevision: number;
  /** Changes with the crashes, restarts and core dumps. */
  readonly incidentRevision: number;
  /** Changes when the look of existing lines has changed. */
  readonly lookRevision: number;
  /** Changes with the counts of rules, and with the marks. */
  readonly ruleRevision: number;
  /** Events of rules since the previous tick. */
  readonly ruleEvents: readonly RuleEvent[];
  /** Null while no search and no filter is active. */
  readonly find: FindStatus | null;
  /** Notices since the previous tick, oldest first. */
  readonly notices: readonly SpokenNotice[];
}

type CallName = keyof BenchApi;

export type Call<Name extends CallName = CallName> = CallMessage<Name, Parameters<BenchApi[Name]>>;

export type ToBench = ToWorker<Call>;
export type FromBench = FromWorker<BenchTick>;
export type { Channel } from './calls/call-protocol.ts';
