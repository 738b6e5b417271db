/** A crash or a restart of a board, according to a log. It can be cloned between threads. */
import type { PanicMark, PanicSeverity } from '../panic/panic-mark.ts';

/** A line of an incident, and the sentence about it. */
export interface IncidentLine extends Omit<PanicMark, 'hash' | 'before'> {
  /** Sequence number in the timeline. In the text of a file: the line number. */
  readonly sequence: number;
  /** Without colours, and shortened to a readable length. */
  readonly text: string;
}

/** @typeParam Port Numbers of the ports of a bench. */
export interface Incident<Port extends number = number> {
  /** Never reused; newer incidents have higher ids. Negative for an incident of a dropped text. */
  readonly id: number;
  /** Null for an incident of a text. */
  readonly port: Port | null;
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

/** Returns true for a failure, a warning, or lines with code addresses. An intended start is not a crash. */
export const isCrash = ({ severity, lines }: Pick<Incident, 'severity' | 'lines'>): boolean =>
  severity !== 'notice' || lines[0]?.kind === 'address';
