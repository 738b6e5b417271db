/** A crash or a restart of a board, according to a log. It can be cloned between threads. */
import type { PortNumber } from '@wirebench/serial';
import type { PanicMark, PanicSeverity } from '@wirebench/symbols';

/** A line of an incident, and the sentence about it. */
export interface IncidentLine extends Omit<PanicMark, 'hash' | 'before'> {
  /** Sequence number in the timeline. In a dropped text: the line number. */
  readonly sequence: number;
  /** Without colours, and shortened to a readable length. */
  readonly text: string;
}

export interface Incident {
  /** Never reused; newer incidents have higher ids. Negative for an incident of a dropped text. */
  readonly id: number;
  /** Null for an incident of a dropped text. */
  readonly port: PortNumber | null;
  /**
   * Arrival of its first line and of its last one so far, in milliseconds since the Unix epoch. For a dropped text:
   * time of the drop.
   */
  readonly at: number;
  readonly until: number;
  /** Severity of its worst line. An intended restart is a `notice`. */
  readonly severity: PanicSeverity;
  /** Chip as the ROM named it at the last start; null while unknown. */
  readonly chip: string | null;
  /** First digits of the SHA-256 of the running ELF file, as printed by the board. Null if it printed none. */
  readonly hash: string | null;
  /** In the order of the log, never empty. */
  readonly lines: readonly IncidentLine[];
}

/** Addresses from `low` up to, but not including, `high`. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}
