/** A crash or a restart of a board, as a log tells it. Plain: it goes from one thread to another. */
import type { PortNumber } from '@wirebench/serial';
import type { PanicMark, PanicSeverity } from '@wirebench/symbols';

/** A line that belongs to it, and what is said about that line. */
export interface IncidentLine extends Omit<PanicMark, 'hash' | 'before'> {
  /** By which the timeline is in order; in a text that was dropped, the number of the line. */
  readonly sequence: number;
  /** Without colours, and not longer than a person reads. */
  readonly text: string;
}

export interface Incident {
  /** Never used twice; newer ones have higher ones. Below zero for one of a dropped text. */
  readonly id: number;
  /** Null for one of a dropped text. */
  readonly port: PortNumber | null;
  /** When its first line and its last one so far came, in milliseconds since the Unix epoch; when a text was dropped. */
  readonly at: number;
  readonly until: number;
  /** Of its worst line: a restart that somebody wanted is a `notice`. */
  readonly severity: PanicSeverity;
  /** As the ROM named it when it started last; null while it is not known. */
  readonly chip: string | null;
  /** First digits of the SHA-256 of the ELF file that ran, as the board printed them; null when it did not. */
  readonly hash: string | null;
  /** In the order of the log, never empty. */
  readonly lines: readonly IncidentLine[];
}
