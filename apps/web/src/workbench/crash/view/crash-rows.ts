/** One row for each crash of a session. A core dump and the log lines before it belong to the same crash. */
import { isCrash } from '@wirebench/symbols';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import type { ListedDump } from '../symbol-files.ts';

export interface CrashRow {
  readonly at: number;
  /** Null without a dump, and for an unreadable dump. */
  readonly dump: ListedDump | null;
  /** The crash in the log. Null for a dropped dump, or if the log no longer holds its lines. */
  readonly incident: Incident | null;
  /** The core dump that could not be read, and the reason. Null: it was read, or there is none. */
  readonly failure: { readonly dump: number; readonly message: string } | null;
}

export interface CrashRows {
  /** Newest first. */
  readonly crashes: readonly CrashRow[];
  /** Restarts without a crash, newest first. */
  readonly restarts: readonly Incident[];
}

/** Longest pause in milliseconds between the panic's last line and its dump. A later dump belongs to another crash. */
const longestPause = 10_000;

/**
 * @param dumps Newest first.
 * @param incidents Newest first.
 */
export function crashRows(dumps: readonly ListedDump[], incidents: readonly Incident[]): CrashRows {
  const twins = new Map<Incident, ListedDump>();
  for (const dump of dumps) {
    const twin = incidents.find((incident) => isOf(dump, incident));
    if (twin !== undefined && !twins.has(twin)) {
      twins.set(twin, dump);
    }
  }
  const paired = new Set(twins.values());
  const crashes = [
    ...dumps
      .filter((dump) => !paired.has(dump))
      .map((dump): CrashRow => ({ at: dump.at, dump, incident: null, failure: null })),
    ...incidents
      .filter((incident) => isCrash(incident) || twins.has(incident))
      .map((incident) => rowOf(incident, twins.get(incident))),
  ];
  return {
    crashes: crashes.sort((a, b) => b.at - a.at),
    restarts: incidents.filter((incident) => !isCrash(incident) && !twins.has(incident)),
  };
}

function rowOf(incident: Incident, dump: ListedDump | undefined): CrashRow {
  const { at } = incident;
  return dump?.state.kind === 'failed'
    ? { at, dump: null, incident, failure: { dump: dump.id, message: dump.state.message } }
    : { at, dump: dump ?? null, incident, failure: null };
}

/**
 * Returns true if a dump of the log begins after the crash's lines and before any other event. The newest matching
 * incident counts.
 */
const isOf = ({ port, at }: ListedDump, incident: Incident): boolean =>
  port !== null &&
  incident.port === port &&
  incident.at <= at &&
  at - incident.until <= longestPause &&
  incident.severity === 'fault';
