/**
 * What page and bench say to each other: calls with answers, and one small tick when something has changed. Rows, bytes and
 * files only travel when they are asked for. Everything here can be cloned between threads.
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
import type { DemoModel } from '../hardware/demo-device.ts';
import type { PortPlace } from '../hardware/permitted-ports.ts';
import type { CallMessage, FromHost, ToHost } from './calls/call-protocol.ts';
import type { AnsweredPage } from './console/painted-row.ts';
import type { CodeRange } from './crash/address-lines.ts';
import type { LogDump } from './crash/dump-lines.ts';
import type { Incident } from './crash/incident.ts';

/**
 * What is behind a port: a board named by its place in the browser's list, a simulated one, or what was there before,
 * found again when it was plugged in anew.
 */
export type PortSource =
  | { readonly kind: 'serial'; readonly place: PortPlace }
  | { readonly kind: 'demo'; readonly model?: DemoModel }
  /** A port of the bench that somebody shares, by its number there. */
  | { readonly kind: 'remote'; readonly port: number }
  | { readonly kind: 'same' };

/** Name of the error with which a place is refused that was taken from an older list: taken anew, it may hold. */
export const outdatedPlace = 'PlaceOutdatedError';

export type ByPort<Value> = Readonly<Record<PortNumber, Value>>;

export type PortNames = ByPort<string>;

export type ExportRequest =
  /** @property shownOnly without the lines that the console does not show, once it is known which these are. */
  | { readonly kind: 'text' | 'csv'; readonly portNames: PortNames; readonly shownOnly?: boolean }
  /** The points of the plot. */
  | { readonly kind: 'plot'; readonly portNames: PortNames }
  | { readonly kind: 'raw'; readonly port: PortNumber };

/** What a console looks for, and through. */
export interface FindRequest {
  /** Lines that do not count are not shown. */
  readonly scope: LineScope;
  /** What is marked, and stepped through; nothing where there are none. */
  readonly terms: readonly LineTerm[];
  /** Show only the lines that have the terms. */
  readonly matchesOnly: boolean;
}

/** How a log looks at the rows. */
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
  /** Which of them one stands at, 0 for the oldest; null at none. */
  readonly index: number | null;
  /** Of that line. */
  readonly sequence: number | null;
}

/** Which numbers are plotted. */
export interface PlotChoice {
  /** Null for those of all ports. */
  readonly port: PortNumber | null;
  readonly format: NumberFormat;
}

/** Which part of the plot is looked at: a stretch of time, or the newest `span` milliseconds, all there are for null. */
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

/** What the page can ask of the bench. Every call answers with a promise; failures arrive as `BenchCallError`. */
export interface BenchApi {
  /** Bytes kept of what each port receives. Refused when there is no memory for it; nothing is changed then. */
  resize(ringBytes: number): void;
  connect(port: PortNumber, source: PortSource, settings: PortSettings): void;
  /** Closes the port and opens the same device again with other settings. */
  reopen(port: PortNumber, settings: PortSettings): void;
  disconnect(port: PortNumber): void;
  cancelReconnect(port: PortNumber): void;
  /** Whether a board of the port that vanishes is waited for. Switching it off ends the wait there is. */
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
  /** Where the lines that a port receives end from now on. */
  setFraming(port: PortNumber, framing: Framing): void;
  /** Restarts the board by its control lines, which then stand as before; resolves when that is done. */
  resetBoard(port: PortNumber, mode: ResetMode): void;
  /** Holds the transmit line low for a quarter of a second. */
  sendBreak(port: PortNumber): void;
  rows(query: RowQuery, look?: RowLook): AnsweredPage;
  /** Nobody asks for the rows of this port alone any more. */
  closePane(port: PortNumber): void;
  /** From now on rows are shown through this, and marked. Refused, and nothing is changed, when it cannot be used. */
  find(request: FindRequest): void;
  /** Goes on to another match, the first time to the newest at or before the line `from`; null while there are none. */
  findStep(direction: 'next' | 'previous', from: number): Hit | null;
  /** Number of the first line that arrived at `at`, in milliseconds since the Unix epoch, or later; null when none did. */
  lineFrom(at: number): number | null;
  /** The rows as text, without those that are not shown. Refused when it is more than a clipboard should take. */
  copyRows(range: RowRange, pane?: PortNumber | null): string;
  /** Takes every line off the console; what comes from then on is kept and shown as ever. */
  clear(): void;
  /** Undoes every `clear` of the last minute. False when there is none: the lines are gone. */
  undoClear(): boolean;
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void;
  /**
   * The file's exact bytes; they stay with the browser until somebody reads them. How far it is stands in the tick; its ticket ends
   * it, and it rejects then.
   */
  exportFile(request: ExportRequest, ticket?: number): Blob;
  /** From now on every received byte goes to a file for its port. Refused while a recording runs. */
  startRecording(): void;
  /** Closes the files and names those that hold anything. */
  stopRecording(): readonly string[];
  /** Pulls the plug of a demo device, or puts it back. */
  plugDemo(port: PortNumber, plugged: boolean): void;
}

export interface DeviceFacts {
  /** `usb`: a device that the flasher works on, and that has no console. `remote`: a port of a bench that somebody shares. */
  readonly kind: 'serial' | 'demo' | 'usb' | 'remote';
  /** The demo device's plug is in, or that of a remote board; always true for a board here, whose plug nobody sees. */
  readonly plugged: boolean;
  /** What may be done with a remote port; null when it is not shared, or is no remote one. */
  readonly right?: Right | null;
  /** Whose connection to the shared bench is lost: that of this page, or of whoever shares. Null while both are there. */
  readonly away?: 'guest' | 'host' | null;
  /** Whoever shares a remote port says that its board is simulated. */
  readonly isSimulated?: boolean;
}

export type RecordingStatus =
  | { readonly state: 'off' }
  | {
      readonly state: 'recording';
      readonly since: number;
      readonly bytes: number;
      /** What was recorded stays, whatever becomes of the tab; false where this browser keeps the last part only when it ends. */
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
  /** Guests of the shared bench that use a port now, by name; null is the bench itself, or nobody. */
  readonly users: ByPort<string | null>;
  readonly devices: Readonly<Record<PortNumber, DeviceFacts | null>>;
  readonly recording: RecordingStatus;
  /** The file that is being sent through each port; null for none. */
  readonly sends: ByPort<SendProgress | null>;
  /** How often each message that is repeated was sent, by the ticket of its call. */
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

export type ToBench = ToHost<Call>;
export type FromBench = FromHost<BenchTick>;
export type { Channel } from './calls/call-protocol.ts';
