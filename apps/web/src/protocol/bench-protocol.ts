/**
 * Protocol between page and bench: calls with answers, and one small tick after each change. Rows, bytes and files
 * only travel on request. Everything here can be cloned between threads.
 */
import type { PortSettings, SignalChange } from '@wirebench/port';
import type { Right } from '@wirebench/remote';
import type {
  AnswerOutcome,
  BaudFinding,
  BenchStatus,
  Framing,
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
import type { CallMessage, FromWorker, ToWorker } from './calls/call-protocol.ts';
import type { CodeRange, Incident } from './incident.ts';
import type { LogDump } from './rows/dump-lines.ts';
import type { AnsweredPage } from './rows/painted-row.ts';

/**
 * Device behind a port: a board by its place in the browser's list, a simulated one, or the previous device, found
 * again after it was replugged.
 */
export type PortSource =
  | { readonly kind: 'serial'; readonly place: PortPlace }
  | { readonly kind: 'demo'; readonly model?: DemoModel }
  /** A port of another user's shared bench, by its number there. */
  | { readonly kind: 'remote'; readonly port: number }
  | { readonly kind: 'same' };

/** Error name for a place from an older list. A new place may succeed. */
export const outdatedPlace = 'PlaceOutdatedError';

export type ByPort<Value> = Readonly<Record<PortNumber, Value>>;

export type PortNames = ByPort<string>;

export type ExportRequest =
  /** @property shownOnly without the lines that the console does not show, once it is known which these are. */
  | { readonly kind: 'text' | 'csv'; readonly portNames: PortNames; readonly shownOnly?: boolean }
  /** The points of the plot. */
  | { readonly kind: 'plot'; readonly portNames: PortNames }
  | { readonly kind: 'raw'; readonly port: PortNumber };

/** Search request of a console. */
export interface FindRequest {
  /** Lines that do not count are not shown. */
  readonly scope: LineScope;
  /** Terms that are marked and stepped through. Empty: none. */
  readonly terms: readonly LineTerm[];
  /** Show only the lines that have the terms. */
  readonly matchesOnly: boolean;
}

/** Rows that a log shows. */
export interface RowLook {
  /** Only what concerns this port: what it received and sent, and the notices of it. */
  readonly pane?: PortNumber | null;
  /** Text layout: every control byte is written out, colours and overwritten text included. */
  readonly controls?: boolean;
}

export interface FindStatus {
  /** Another number for each request. */
  readonly request: number;
  /** Lines found so far; null when nothing is looked for in them. */
  readonly count: number | null;
  /** Lines that may be shown, as far as it is known; null when all may. */
  readonly shown: number | null;
  /** Everything that is held has been searched. */
  readonly complete: boolean;
  /** Index of the current hit, 0 for the oldest; null without one. */
  readonly index: number | null;
  /** Sequence number of its line. */
  readonly sequence: number | null;
}

/** Numbers to plot. */
export interface PlotChoice {
  /** Null for those of all ports. */
  readonly port: PortNumber | null;
  readonly format: NumberFormat;
}

/** Shown part of the plot: a stretch of time, or the newest `span` milliseconds. Null: all of it. */
export type PlotView = {
  /** Columns of pixels. */
  readonly width: number;
  /** Ids of the series that are not shown. */
  readonly hidden: readonly number[];
} & ({ readonly from: number; readonly to: number } | { readonly from: null; readonly span: number | null });

export interface PlotPicture {
  readonly revision: number;
  readonly series: readonly PlotSeries[];
  /** Lines that came faster than they could be read. */
  readonly skippedLines: number;
  /** Milliseconds since the Unix epoch; both 0 while there is nothing. */
  readonly from: number;
  readonly to: number;
  readonly window: PlotWindow | null;
}

/** A search for the baud rate: what it listens at, as the how manieth of all, from 0. */
export interface BaudProgress {
  readonly rate: number;
  readonly index: number;
  readonly count: number;
}

/** Calls of the page to the bench. Every call returns a promise; failures arrive as `CallError`. */
export interface BenchApi {
  /** Bytes kept of what each port receives. Refused when there is no memory for it; nothing is changed then. */
  resize(ringBytes: number): void;
  connect(port: PortNumber, source: PortSource, settings: PortSettings): void;
  /** Closes the port and opens the same device again with other settings. */
  reopen(port: PortNumber, settings: PortSettings): void;
  disconnect(port: PortNumber): void;
  cancelReconnect(port: PortNumber): void;
  /** Sets whether the session waits for a board that disappears. Switching it off ends a current wait. */
  setReconnect(port: PortNumber, enabled: boolean): void;
  /** Resolves when the port has taken the bytes. */
  send(port: PortNumber, bytes: Uint8Array): void;
  /**
   * Sends, and waits for `answer` among all bytes received from that moment on, `timeout` milliseconds long at most. The
   * ticket is the caller's own, never used twice: `endWait` ends the wait by it.
   */
  ask(port: PortNumber, bytes: Uint8Array, answer: Uint8Array, timeout: number, ticket: number): AnswerOutcome;
  /** Answers after `duration` milliseconds, also in a hidden tab. */
  pause(duration: number, ticket: number): void;
  endWait(ticket: number): void;
  setSignals(port: PortNumber, change: SignalChange): void;
  /**
   * Sends a file piece by piece, `pace` by `pace`. Answers with what came of it, also when it was ended by its ticket or with
   * the port. How far it is stands in the tick.
   */
  sendFile(port: PortNumber, file: File, pace: SendPace, ticket: number): SendReport;
  /**
   * Sends files by a protocol that confirms every block. Answers with the outcome, also when it was ended by its ticket or with the
   * port. The tick has the progress.
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
  /** Sends at once and then every `every` milliseconds, until it is ended by its ticket or with the port. */
  repeat(port: PortNumber, bytes: Uint8Array, every: number, ticket: number): RepeatReport;
  /**
   * Listens at one rate after the other to what the port has open, else to `source`. A port that is open is closed for it, and
   * opened again as it was. How far it is stands in the tick; its ticket ends it.
   */
  findBaudRate(port: PortNumber, source: PortSource, settings: PortSettings, ticket: number): BaudFinding;
  statistics(port: PortNumber): PortStatistics;
  /** From now on these numbers are read; null ends it. */
  plot(choice: PlotChoice | null): void;
  /** Null while nothing is plotted. */
  plotPicture(view: PlotView): PlotPicture | null;
  /** The crashes and restarts that the log tells of, the newest first. */
  incidents(): readonly Incident[];
  /** Takes where the open ELF files have code: lines of the log with such addresses are found from then on, and in what is held. */
  setCodeRanges(ranges: readonly CodeRange[]): void;
  /** Core dumps that stand whole in the log, the newest last. */
  logDumps(): readonly LogDump[];
  /** From the mark of its start to that of its end; null when it is not kept any more. */
  logDumpText(id: number): string | null;
  /** Shows the lines of the core dump that a line of `port` belongs to one by one, or as one row. */
  showDumpLines(port: PortNumber, sequence: number, shown: boolean): void;
  /**
   * All lines of the core dump that a line of `port` belongs to, whatever the console leaves out; null when the first of them is
   * not held any more.
   */
  dumpLines(port: PortNumber, sequence: number): string | null;
  /** Sets where received lines end from now on. */
  setFraming(port: PortNumber, framing: Framing): void;
  /** Restarts the board by its control lines, which then stand as before; resolves when that is done. */
  resetBoard(port: PortNumber, mode: ResetMode): void;
  /** Holds the transmit line low for a quarter of a second. */
  sendBreak(port: PortNumber): void;
  rows(query: RowQuery, look?: RowLook): AnsweredPage;
  /** Drops the search of a pane that was closed. */
  closePane(port: PortNumber): void;
  /** From now on rows are shown through this, and marked. Refused, and nothing is changed, when it cannot be used. */
  find(request: FindRequest): void;
  /** Moves to another hit, the first time to the newest at or before the line `from`; null without hits. */
  findStep(direction: 'next' | 'previous', from: number): Hit | null;
  /** Number of the first line that arrived at `at`, in milliseconds since the Unix epoch, or later; null when none did. */
  lineFrom(at: number): number | null;
  /** The rows as text, without those that are not shown. Refused when it is more than a clipboard should take. */
  copyRows(range: RowRange, pane?: PortNumber | null): string;
  /** Removes every line from the console. Later lines are stored and shown as usual. */
  clear(): void;
  /** Undoes every `clear` of the last minute. Returns false without one: the lines are gone. */
  undoClear(): boolean;
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void;
  /**
   * Returns the file's exact bytes. They stay in the browser until they are read. The tick reports the progress. Its
   * ticket cancels it, and the call rejects then.
   */
  exportFile(request: ExportRequest, ticket?: number): Blob;
  /** From now on every received byte goes to a file for its port. Refused while a recording runs. */
  startRecording(): void;
  /** Closes the files and names those that hold anything. */
  stopRecording(): readonly string[];
  /** Pulls the plug of a demo device, or puts it back. */
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
  /** `usb`: a device that the flasher works on, without a console. `remote`: a port of another user's shared bench. */
  readonly kind: 'serial' | 'demo' | 'usb' | 'remote';
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
}

export type RecordingStatus =
  | { readonly state: 'off' }
  | {
      readonly state: 'recording';
      readonly since: number;
      readonly bytes: number;
      /** True: recorded bytes survive a crash of the tab. False: this browser stores the last part only at the end. */
      readonly durable: boolean;
    }
  /** It could not go on; `files` hold what came before. */
  | {
      readonly state: 'failed';
      readonly reason: RecordingFailure;
      readonly bytes: number;
      readonly files: readonly string[];
    };

export type RecordingFailure = 'storage-full' | 'not-writable';

export interface SpokenNotice {
  readonly sequence: number;
  readonly level: NoticeLevel;
  readonly text: string;
}

export interface BenchTick {
  readonly status: BenchStatus;
  /** Names of the guests of the shared bench that use a port now; null for the bench itself, or for no user. */
  readonly users: ByPort<string | null>;
  readonly devices: Readonly<Record<PortNumber, DeviceFacts | null>>;
  readonly recording: RecordingStatus;
  /** The file that is being sent through each port; null for none. */
  readonly sends: ByPort<SendProgress | null>;
  readonly transfers: ByPort<RunningTransfer | null>;
  readonly transferOffers: ByPort<TransferOffer | null>;
  /** Number of times each repeated message was sent, by the ticket of its call. */
  readonly repeats: Readonly<Record<number, number>>;
  readonly baudSearches: ByPort<BaudProgress | null>;
  /** Bytes of the file that is being exported, as far as it is made; null while none is. */
  readonly exported: number | null;
  /** Another number when the plot has more to show. */
  readonly plotRevision: number;
  /** Another number when there are other crashes, restarts or core dumps. */
  readonly incidentRevision: number;
  /** Another number when lines that are there already look different. */
  readonly lookRevision: number;
  /** Null while nothing is looked for, and all is shown. */
  readonly find: FindStatus | null;
  /** Notices since the tick before, oldest first. */
  readonly notices: readonly SpokenNotice[];
}

type CallName = keyof BenchApi;

export type Call<Name extends CallName = CallName> = CallMessage<Name, Parameters<BenchApi[Name]>>;

export type ToBench = ToWorker<Call>;
export type FromBench = FromWorker<BenchTick>;
export type { Channel } from './calls/call-protocol.ts';
