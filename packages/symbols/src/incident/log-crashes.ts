/** Crashes in the text of a log: their lines, and the core dumps between them. */
import { DumpLines } from '../log-text/dump-lines.ts';
import { logLines } from '../log-text/log-lines.ts';
import { markedLines } from '../panic/panic-text.ts';
import type { Incident } from './incident.ts';
import { IncidentBook } from './incident-book.ts';

/** A core dump that a log contains completely. */
interface DumpOfLog {
  /** Number of its first line, counted from 1. */
  readonly line: number;
  /** From its first mark to its last. */
  readonly text: string;
}

/** A crash or a restart. Never without both. */
export interface LogCrash {
  /** Null for a dump without a crash before it. Its sequence numbers are line numbers. */
  readonly incident: Incident | null;
  readonly dump: DumpOfLog | null;
}

export interface LogCrashes {
  /** In the order of the log. Restarts alone are among them. */
  readonly crashes: readonly LogCrash[];
  /** Number of older incidents that were left out. */
  readonly omitted: number;
}

/**
 * Returns the crashes and restarts of a log. Each port is read by itself, because lines of two boards alternate in a
 * log of both.
 *
 * @param at Time of the reading, in milliseconds since the Unix epoch.
 */
export function crashesOfLog(text: string, at: number): LogCrashes {
  const ports = logLines(text, []).map((lines) => {
    const book = new IncidentBook();
    for (const { number, text: line, mark, chip } of markedLines(lines)) {
      book.add(null, mark, { sequence: number, at, text: line }, chip);
    }
    const reader = new DumpLines();
    const dumps = lines.flatMap(({ number, text: line }): DumpOfLog[] => {
      const found = reader.line(line, number);
      return found === null ? [] : [{ line: found.at, text: found.text }];
    });
    const incidents = book.incidents.toReversed();
    return { crashes: paired(incidents, dumps), omitted: (incidents[0]?.id ?? 1) - 1 };
  });
  return {
    crashes: ports.flatMap(({ crashes }) => crashes).sort((one, other) => lineOf(one) - lineOf(other)),
    omitted: ports.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}

/** Returns the number of the first line of a crash. */
export const lineOf = ({ incident, dump }: LogCrash): number => incident?.lines[0]?.sequence ?? dump?.line ?? 0;

/** A dump belongs to the failure before it, unless anything else happened between them. */
function paired(incidents: readonly Incident[], dumps: readonly DumpOfLog[]): LogCrash[] {
  const twins = new Map<Incident, DumpOfLog>();
  const alone: LogCrash[] = [];
  for (const dump of dumps) {
    const before = incidents.findLast(({ lines }) => (lines[0]?.sequence ?? 0) <= dump.line);
    if (before?.severity === 'fault' && !twins.has(before)) {
      twins.set(before, dump);
    } else {
      alone.push({ incident: null, dump });
    }
  }
  return [...incidents.map((incident) => ({ incident, dump: twins.get(incident) ?? null })), ...alone];
}
