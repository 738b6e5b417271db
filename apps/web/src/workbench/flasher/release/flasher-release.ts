/** A release as the flasher needs it. Who loads it, and from where, is the page's business. */
import type { DeviceFamily } from '@wirebench/contract/constants';
import type { InputMode, LineEnding } from '@wirebench/serial';

export interface ReleaseFile {
  readonly name: string;
  /** Flash address. */
  readonly offset: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** Throws when the bytes cannot be had. @param onProgress is told how many bytes have arrived */
  load(signal: AbortSignal, onProgress: (received: number) => void): Promise<Blob>;
}

/** What the publisher has picked to be sent from the monitor: the messages of a jkit. */
export interface MonitorMessages {
  readonly name: string;
  readonly lineEnding: LineEnding;
  readonly messages: readonly { readonly content: string; readonly mode: InputMode }[];
}

export interface ReleaseVersion {
  readonly id: string;
  /** What its link names it by; null for one that others cannot open. */
  readonly shareId: string | null;
  readonly version: string;
  /** Baud rate of the monitor that the publisher has set; null for none. */
  readonly console: { readonly baudRate: number; readonly lineEnding: 'lf' | 'crlf' | 'cr' | 'none' } | null;
  /** Null when the publisher has picked none. Throws when they are gone. */
  readonly messages: ((signal: AbortSignal) => Promise<MonitorMessages>) | null;
  readonly files: readonly ReleaseFile[];
  /** Tells the server how a flash went; never rejects. */
  report(outcome: FlashOutcome): Promise<void>;
}

export interface FlashOutcome {
  readonly result: 'success' | 'failure';
  /** As its maker writes it. */
  readonly chip: string | null;
  readonly errorCode: string | null;
}

type ReleaseWay = 'again' | 'sign-in' | null;

/** Why a release cannot be loaded, in words for people. Its message says what to do. */
export class ReleaseError extends Error {
  /** What happened. */
  readonly title: string;
  /** What may help here; null where nothing does. */
  readonly way: ReleaseWay;

  constructor(title: string, remedy: string, { way = 'again', ...options }: ErrorOptions & { way?: ReleaseWay } = {}) {
    super(remedy, options);
    this.name = 'ReleaseError';
    this.title = title;
    this.way = way;
  }
}

export interface FlasherRelease {
  readonly name: string;
  readonly publisher: string;
  /** For demo devices only. */
  readonly demo: boolean;
  /** What its publisher declared: `esp`, `esp32s3`. */
  readonly deviceFamily: DeviceFamily;
  readonly deviceModel: string;
  /** Newest first, at least one. */
  readonly versions: readonly ReleaseVersion[];
  /** The one whose files are loaded. */
  readonly chosen: ReleaseVersion;
}
