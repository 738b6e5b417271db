/**
 * A release on the page, wherever it was read: on this server, on another one, or in a manifest. A version has builds,
 * a build has files. The release page and the flashers use this shape only.
 */
import type { DeviceModel, FamilyId, ReleaseType } from '@wirebench/boards';
import type { ProjectSummary } from '@wirebench/contract';
import type { ReleaseBuild } from '@wirebench/flasher/release/builds';
import type { InputMode, LineEnding } from '@wirebench/serial';
import type { GivenFile } from '../../protocol/flash-protocol.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { SessionError } from '../../shared/session/session-errors.ts';
import type { ReleaseProblem } from './problem-icon.tsx';

export interface ReleaseFile {
  /** Id at this server; the address of a file of another host. */
  readonly id: string;
  readonly name: string;
  /** Address in flash; the lowest one of a format with its own addresses. */
  readonly offset: number;
  /** In bytes; null if it is not published. */
  readonly size: number | null;
  /** Lower-case hexadecimal; null if it is not published. */
  readonly sha256: string | null;
}

/** The files of a release for one kind of board. */
export interface VersionBuild extends ReleaseBuild {
  /** Unique within the release. On this server, the id of the build, or of its version. */
  readonly id: string;
  /** Empty for a build that cannot be used. */
  readonly files: readonly ReleaseFile[];
  /**
   * Loads all files, and compares them with what is published about them.
   *
   * @param onProgress Receives the number of bytes of all files that have arrived.
   */
  load(signal: AbortSignal, onProgress: (received: number) => void): Promise<readonly GivenFile[]>;
}

/** Returns the size of all files in bytes; null if it is not published. */
export const buildSize = ({ files }: Pick<VersionBuild, 'files'>): number | null =>
  files.reduce<number | null>((sum, { size }) => (sum === null || size === null ? null : sum + size), 0);

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
  /** Notes in Markdown. */
  readonly description: string;
  /** ISO 8601; null if it is not published. */
  readonly createdAt: string | null;
  /** Number of reported successful flashes. */
  readonly writeCount: number;
  /**
   * Console settings of the publisher for the monitor, with the rate in baud; null if the publisher has set no
   * console.
   */
  readonly console: { readonly baudRate: number; readonly lineEnding: 'lf' | 'crlf' | 'cr' | 'none' } | null;
  /** Loads the publisher's messages; null if the publisher has picked no JKit. Throws if the JKit is gone. */
  readonly messages: ((signal: AbortSignal) => Promise<MonitorMessages>) | null;
  /** At least one on this server. The first one is for the project's model. */
  readonly builds: readonly VersionBuild[];
  /**
   * True: each board gets the build that fits it. False: the only build is for every board of the publisher's model. Its
   * files are then like those that a person adds, so offsets can be changed and a board of another model overridden.
   */
  readonly isPerBoard: boolean;
  /** Sentences about builds of its manifest that cannot be used. */
  readonly faults: readonly string[];
  /** Reports the outcome of a flash to the server. Never rejects. */
  report(outcome: FlashOutcome): Promise<void>;
}

export interface FlashOutcome {
  readonly result: 'success' | 'failure';
  /** Chip as its maker writes it. */
  readonly chip: string | null;
  readonly errorCode: string | null;
  /** Build that the board was given; null unless boards choose. */
  readonly buildId: string | null;
}

export interface Release {
  readonly name: string;
  readonly publisher: string;
  /** Host that the release came from. Missing: this server. */
  readonly host?: string;
  /** True: for demo devices only. */
  readonly demo: boolean;
  /** Family and model that the publisher declared, or those of the first build: `esp`, `esp32s3`. */
  readonly deviceFamily: string;
  readonly deviceModel: string;
  /** Newest first. A version link has only its own version. */
  readonly versions: readonly ReleaseVersion[];
  /** Version that is installed without a choice; null without a version. */
  readonly usual: ReleaseVersion | null;
}

/** A release of which a version was chosen. */
export interface ChosenRelease extends Release {
  readonly chosen: ReleaseVersion;
}

/** A release of this server, with what its page shows beyond the flash. */
export interface ServerRelease extends Release {
  readonly deviceFamily: FamilyId;
  readonly deviceModel: DeviceModel;
  readonly type: ReleaseType;
  readonly project: ProjectSummary;
  /** Visibility of the project itself, which strangers do not see. Null if a stranger asks. */
  readonly owned: { readonly isPublic: boolean } | null;
  /** Share id of the item that the link names. */
  readonly shareId: string;
  /** End of that link (ISO 8601); undefined for a link without an expiry. */
  readonly shareEndsAt?: string | undefined;
  /** Prefix of the API's paths. */
  readonly apiUrl: string;
}

/** Loads a release. The same source stands for the same release, whose files are loaded once. */
export type ReleaseSource = (signal: AbortSignal) => Promise<Release>;

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

/** The address names no release: a part of the link is missing. */
export class IncompleteLinkError extends Error {}

export interface ReleaseFault {
  readonly problem: ReleaseProblem;
  readonly detail: string | null;
}

/** Returns the kind of a failure to load a release of this server. */
export function releaseProblemOf(error: unknown): ReleaseFault {
  const problem = (which: ReleaseProblem, detail: string | null = null) => ({ problem: which, detail });
  if (error instanceof IncompleteLinkError) {
    return problem('no-address');
  }
  if (error instanceof SessionError) {
    return problem('failed', error.message);
  }
  if (!(error instanceof ApiError)) {
    return problem('failed');
  }
  switch (error.status) {
    case 0:
      return problem('offline');
    case 401:
      return problem('sign-in');
    case 404:
      return problem('not-found');
    case 410:
      return problem(codeOf(error) === 'share-ended' ? 'ended' : 'taken-down');
    case 429:
      return problem('too-many');
    default:
      return problem('failed', error.message);
  }
}

/** Returns the contract's code in the body of a refusal, or null. */
function codeOf({ body }: ApiError): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}
