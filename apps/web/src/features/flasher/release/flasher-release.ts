/** A release as the flasher needs it. The page supplies the code that loads it. */
import type { ReleaseBuild } from '@wirebench/flasher/release/builds';
import type { InputMode, LineEnding } from '@wirebench/serial';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';

export interface ReleaseFile {
  readonly name: string;
  /** Address in flash. */
  readonly offset: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /**
   * Loads the file's bytes.
   * @param onProgress Receives the number of bytes that have arrived.
   * @throws Error if the bytes cannot be loaded.
   */
  load(signal: AbortSignal, onProgress: (received: number) => void): Promise<Blob>;
}

/** The files of a release for one kind of board. */
export interface VersionBuild extends ReleaseBuild {
  /** Unique within the version. On this server, the id of the build. */
  readonly id: string;
  /** True: a SHA-256 is published for each file, and compared before the files are used. */
  readonly isHashed: boolean;
  /** Size of all files in bytes; null if it is not published. */
  readonly size: number | null;
  /**
   * Loads all files.
   * @param onProgress Receives the number of bytes of all files that have arrived.
   * @throws ReleaseError if a file cannot be loaded, or differs from the published one.
   */
  load(signal: AbortSignal, onProgress: (received: number) => void): Promise<readonly GivenFile[]>;
}

/** Messages of a JKit that the publisher has picked for the monitor. */
export interface MonitorMessages {
  readonly name: string;
  readonly lineEnding: LineEnding;
  readonly messages: readonly MonitorMessage[];
  /** Entries of the JKit's `rules`, not checked yet. */
  readonly rules: readonly unknown[];
}

export interface MonitorMessage {
  readonly content: string;
  readonly mode: InputMode;
  /** Name of the message. Null: it has none. */
  readonly label: string | null;
  /** True: the log has the name of the message instead of what is sent. */
  readonly hidden: boolean;
}

/** Returns the name under which the log has a hidden message; null for a message that the log shows. */
export const nameIfHidden = ({ hidden, label }: MonitorMessage): string | null =>
  hidden ? (label ?? 'message') : null;

export interface ReleaseVersion {
  readonly id: string;
  /** Id in the link of the version; null for a version that others cannot open. */
  readonly shareId: string | null;
  readonly version: string;
  /** Missing for a stable version. */
  readonly channel?: 'beta';
  /**
   * Console settings of the publisher for the monitor, with the rate in baud; null if the publisher has set no
   * console.
   */
  readonly console: { readonly baudRate: number; readonly lineEnding: 'lf' | 'crlf' | 'cr' | 'none' } | null;
  /** Loads the publisher's messages; null if the publisher has picked no JKit. Throws if the JKit is gone. */
  readonly messages: ((signal: AbortSignal) => Promise<MonitorMessages>) | null;
  /** Files for every board of the release's model. Empty if there are `builds`. */
  readonly files: readonly ReleaseFile[];
  /** Builds, of which the connected board decides. Missing: the files are for every board. */
  readonly builds?: readonly VersionBuild[];
  /** Reports the outcome of a flash to the server. Never rejects. */
  report(outcome: FlashOutcome): Promise<void>;
}

export interface FlashOutcome {
  readonly result: 'success' | 'failure';
  /** Chip as its maker writes it. */
  readonly chip: string | null;
  readonly errorCode: string | null;
  /** Build that was written; null for a version without builds. */
  readonly buildId: string | null;
}

type ReleaseWay = 'again' | 'sign-in' | null;

/** Reason why a release cannot be loaded, in words for users. Its message is the remedy. */
export class ReleaseError extends Error {
  /** Names the failure in one sentence, without a full stop. */
  readonly title: string;
  /** Button that may help; null for no button. */
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
  /** Host that the release came from. Missing: this server. */
  readonly host?: string;
  /** True: for demo devices only. */
  readonly demo: boolean;
  /** Family and model that the publisher declared, or those of the first build: `esp`, `esp32s3`. */
  readonly deviceFamily: string;
  readonly deviceModel: string;
  /** Newest first, at least one. */
  readonly versions: readonly ReleaseVersion[];
  /** The version whose files are loaded. */
  readonly chosen: ReleaseVersion;
}
