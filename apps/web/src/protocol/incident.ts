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
  /**
   * Arrival of its first line and of its last one so far, in milliseconds since the Unix epoch; time of the drop for
   * a dropped text.
   */
  readonly at: number;
  readonly until: number;
  /** Severity of its worst line. An intended restart is a `notice`. */
  readonly severity: PanicSeverity;
  /** Chip as the ROM named it at the last start; null while unknown. */
  readonly chip: string | null;
  /** First digits of the SHA-256 of the ELF file that ran, as the board printed them; null when it did not. */
  readonly hash: string | null;
  /** In the order of the log, never empty. */
  readonly lines: readonly IncidentLine[];
}

/** Addresses from `low` up to, and without, `high`. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}
