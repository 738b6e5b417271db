/**
 * What page and bench say to each other: calls with answers, and one small tick when something has changed. Rows, bytes and
 * files only travel when they are asked for. Everything here can be cloned between threads.
 */
import type {
  AnswerOutcome,
  BenchStatus,
  Framing,
  Hit,
  LineScope,
  LineTerm,
  NoticeLevel,
  PortNumber,
  PortSettings,
  ResetMode,
  RowQuery,
  RowRange,
  SendPace,
  SendProgress,
  SendReport,
  SignalChange,
} from '@wirebench/serial';
import type { PortPlace } from '../hardware/permitted-ports.ts';
import type { AnsweredPage } from './console/painted-row.ts';

/** What stands behind a port: a board named by its place in the browser's list, or a simulated one. */
export type PortSource = { readonly kind: 'serial'; readonly place: PortPlace } | { readonly kind: 'demo' };

export type PortNames = Readonly<Record<PortNumber, string>>;

export type ExportRequest =
  | { readonly kind: 'text' | 'csv'; readonly portNames: PortNames }
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

/** What the page can ask of the bench. Every call answers with a promise; failures arrive as `BenchCallError`. */
export interface BenchApi {
  /** Bytes kept of what each port receives. Refused when there is no memory for it; nothing is changed then. */
  resize(ringBytes: number): void;
  connect(port: PortNumber, source: PortSource, settings: PortSettings): void;
  /** Closes the port and opens the same device again with other settings. */
  reopen(port: PortNumber, settings: PortSettings): void;
  disconnect(port: PortNumber): void;
  cancelReconnect(port: PortNumber): void;
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
  /** Where the lines that a port receives end from now on. */
  setFraming(port: PortNumber, framing: Framing): void;
  /** Restarts the board by its control lines, which then stand as before; resolves when that is done. */
  resetBoard(port: PortNumber, mode: ResetMode): void;
  /** Holds the transmit line low for a quarter of a second. */
  sendBreak(port: PortNumber): void;
  rows(query: RowQuery): AnsweredPage;
  /** From now on rows are shown through this, and marked. Refused, and nothing is changed, when it cannot be used. */
  find(request: FindRequest): void;
  /** Goes on to another match, the first time to the newest at or before the line `from`; null while there are none. */
  findStep(direction: 'next' | 'previous', from: number): Hit | null;
  /** Number of the first line that arrived at `at`, in milliseconds since the Unix epoch, or later; null when none did. */
  lineFrom(at: number): number | null;
  /** The rows as text, without those that are not shown. Refused when it is more than a clipboard should take. */
  copyRows(range: RowRange): string;
  clear(): void;
  notice(level: NoticeLevel, text: string, port: PortNumber | null): void;
  /** The file's exact bytes; they stay with the browser until somebody reads them. */
  exportFile(request: ExportRequest): Blob;
  /** From now on every received byte goes to a file for its port. Refused while a recording runs. */
  startRecording(): void;
  /** Closes the files and names those that hold anything. */
  stopRecording(): readonly string[];
  /** Pulls the plug of a demo device, or puts it back. */
  plugDemo(port: PortNumber, plugged: boolean): void;
}

export interface DeviceFacts {
  readonly kind: 'serial' | 'demo';
  /** The demo device's plug is in; always true for a board, whose plug nobody sees. */
  readonly plugged: boolean;
}

export type RecordingStatus =
  | { readonly state: 'off' }
  | { readonly state: 'recording'; readonly since: number; readonly bytes: number }
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
  readonly devices: Readonly<Record<PortNumber, DeviceFacts | null>>;
  readonly recording: RecordingStatus;
  /** The file that is being sent through each port; null for none. */
  readonly sends: Readonly<Record<PortNumber, SendProgress | null>>;
  /** Null while nothing is looked for, and all is shown. */
  readonly find: FindStatus | null;
  /** Notices since the tick before, oldest first. */
  readonly notices: readonly SpokenNotice[];
}

export type CallName = keyof BenchApi;

export interface Call<Name extends CallName = CallName> {
  readonly id: number;
  readonly call: Name;
  readonly args: Parameters<BenchApi[Name]>;
}

/** From the page: a call, or word that the last tick was taken and the next may come. */
export type ToBench = Call | { readonly tickTaken: true };

export interface CallFailure {
  readonly name: string;
  readonly message: string;
  /** A `SessionFailure`, or null for everything else. */
  readonly code: string | null;
}

export type FromBench =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: CallFailure }
  | { readonly tick: BenchTick };

/** Either end of the line between page and bench: a worker, the inside of one, or a message port. */
export interface Channel {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
