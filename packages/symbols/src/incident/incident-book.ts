/**
 * Groups the marked lines of a log into incidents. A panic with its registers, its backtrace and the restart after it
 * is one incident. A restart alone is another.
 */
import { type PanicMark, type PanicMarkKind, type PanicSeverity, withMissing } from '../panic/panic-mark.ts';
import type { Incident, IncidentLine } from './incident.ts';

/** Incidents that are kept: the newest. A board in a boot loop produces many equal ones. The list says that it is cut. */
const maxIncidents = 50;
/**
 * Lines of one incident. The longest reports, of two cores with their registers and stacks, have about 150. A bootloader
 * without a program repeats its line for ever. An incident that goes on says that frames may be missing.
 */
const maxLines = 400;
const longReport = `Only the first ${maxLines} lines of this report are kept: frames may be missing.`;
/** Words of stack rows that are joined into one line. Some firmware prints one word per row, up to a thousand rows. */
const wordsInLine = 64;
/**
 * Longest pause within an incident, in milliseconds. Boards print a report in one go, and some save a core dump for
 * seconds before they restart. What comes later is an incident of its own, unless it is certain that it continues the report.
 */
const longestPause = 10_000;
/** Characters of a line that are shown: a person recognises it by its start. The rest is an ellipsis. */
const longestText = 400;

/** A marked line and its position. */
export interface MarkedLine {
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly text: string;
}

/** Marks that begin an incident, unless they continue one. */
const incidentMarks = new Set<PanicMarkKind>([
  'panic',
  'abort',
  'assert',
  'error-check',
  'task-watchdog',
  'watchdog',
  'brownout',
  'stack-overflow',
  'heap',
  'undefined-behavior',
  'exception',
]);
/** Marks of the state that a panic handler prints after its message. */
const dumps = new Set<PanicMarkKind>(['registers', 'backtrace', 'stack']);

const ranks = { notice: 0, warning: 1, fault: 2 } satisfies Record<PanicSeverity, number>;

interface OpenIncident<Port extends number = number> extends Incident<Port> {
  readonly lines: IncidentLine[];
  severity: PanicSeverity;
  hash: string | null;
  until: number;
}

export class IncidentBook<Port extends number = number> {
  readonly #open = new Map<Port | null, OpenIncident<Port>>();
  /** Build that each board printed at its start. */
  readonly #builds = new Map<Port | null, string>();
  #incidents: OpenIncident<Port>[] = [];
  /** Incidents that were cleared, while the clear can be undone. */
  #cleared: OpenIncident<Port>[] = [];
  #nextId = 1;

  /** Newest first. */
  get incidents(): readonly Incident<Port>[] {
    return this.#incidents.toReversed();
  }

  /** @param port Null for the lines of a dropped text. */
  add(port: Port | null, mark: PanicMark, line: MarkedLine, chip: string | null): void {
    if (mark.before !== undefined) {
      this.add(port, mark.before, line, chip);
    }
    if (mark.hash !== undefined) {
      this.#builds.set(port, mark.hash);
    }
    const open = this.#open.get(port);
    const incident = open !== undefined && continues(open, mark, line) ? open : this.#begin(port, mark, line, chip);
    if (incident === null) {
      return;
    }
    incident.until = line.at;
    if (mark.hash !== undefined && (incident.hash === null || !hasRestarted(incident))) {
      incident.hash = mark.hash;
    }
    if (ranks[mark.severity] > ranks[incident.severity]) {
      incident.severity = mark.severity;
    }
    const { hash: _hash, before: _before, ...said } = mark;
    const added: IncidentLine = { ...said, sequence: line.sequence, text: shortened(line.text) };
    const last = incident.lines.at(-1);
    const longer = last && joinedRows(last, added);
    if (longer !== undefined) {
      incident.lines.splice(-1, 1, longer);
    } else if (incident.lines.length < maxLines) {
      incident.lines.push(added);
    } else if (last !== undefined) {
      incident.lines.splice(-1, 1, withMissing(last, longReport));
    }
  }

  /**
   * Hides all incidents until `restoreCleared`, or until `forgetCleared` discards them. Keeps the builds that the
   * boards have printed.
   */
  clear(): void {
    this.#open.clear();
    this.#cleared = [...this.#cleared, ...this.#incidents];
    this.#incidents = [];
  }

  restoreCleared(): void {
    this.#incidents = [...this.#cleared, ...this.#incidents].slice(-maxIncidents);
    this.#cleared = [];
  }

  forgetCleared(): void {
    this.#cleared = [];
  }

  #begin(port: Port | null, mark: PanicMark, { at }: MarkedLine, chip: string | null): OpenIncident<Port> | null {
    // A detail without an incident is ignored.
    if (mark.kind === 'elf-hash' || mark.kind === 'saved-pc') {
      return null;
    }
    const hash = mark.kind === 'reset' ? null : (this.#builds.get(port) ?? null);
    const { severity } = mark;
    const incident: OpenIncident<Port> = { id: this.#nextId++, port, at, until: at, severity, chip, hash, lines: [] };
    this.#open.set(port, incident);
    this.#incidents.push(incident);
    this.#incidents.splice(0, this.#incidents.length - maxIncidents);
    return incident;
  }
}

const shortened = (text: string) => (text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text);

/**
 * Joins two rows of one stack into one line, with the text of the first. Undefined if the second row does not
 * continue the first.
 */
function joinedRows(first: IncidentLine, second: IncidentLine): IncidentLine | undefined {
  const [above, below] = [first.memory, second.memory];
  if (above === undefined || below === undefined || first.core !== second.core) {
    return undefined;
  }
  const goesOn = below.address === above.address + 4 * above.words.length;
  if (!goesOn || above.words.length + below.words.length > wordsInLine) {
    return undefined;
  }
  const memory = { ...above, words: [...above.words, ...below.words] };
  return { ...first, sequence: second.sequence, addresses: [...first.addresses, ...second.addresses], memory };
}

function continues(
  { lines, until }: OpenIncident,
  { kind, isOfStart, isContinued }: PanicMark,
  { at }: MarkedLine,
): boolean {
  if (at - until > longestPause && isContinued !== true) {
    return false;
  }
  if (isOfStart && lines.at(-1)?.kind === 'reset') {
    return true;
  }
  const restarted = hasRestarted({ lines });
  if (incidentMarks.has(kind)) {
    return !restarted && (isContinued === true || !lines.some((line) => dumps.has(line.kind)));
  }
  return !restarted || !(kind === 'reset' || dumps.has(kind));
}

const hasRestarted = ({ lines }: Pick<Incident, 'lines'>) => lines.some(({ kind }) => kind === 'reset');
