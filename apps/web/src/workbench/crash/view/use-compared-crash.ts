/** Loads the comparable facts of a crash of either kind, and reloads them after each change of the open ELF files. */
import { addressesOf, addressRows, titleOf } from '@wirebench/symbols';
import { useMemo } from 'react';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { type ListedDump, useOpenFiles } from '../symbol-files.ts';
import { type ComparedCrash, comparedIncident, comparedReport } from './compare-crashes.ts';
import { useDecoded } from './use-decoded.ts';
import { useLogReport, useReport } from './use-report.ts';

/** A crash with a core dump, or one that only the log reports. */
export type SessionCrash = { readonly dump: ListedDump } | { readonly incident: Incident };

/** Returns null until the facts are known. */
export function useComparedCrash(crash: SessionCrash): ComparedCrash | null {
  const dump = 'dump' in crash ? crash.dump : null;
  const incident = 'incident' in crash ? crash.incident : null;
  const files = useOpenFiles();
  const addresses = useMemo(() => (incident === null ? [] : addressesOf(incident)), [incident]);
  const { places } = useDecoded(addresses, files, incident?.hash ?? null);
  const answer = useReport(dump ?? null);
  const printed = useLogReport(incident);
  // Without stack memory, the backtrace of the log has more frames.
  if (incident !== null && printed?.report.tasks[0]?.memory) {
    return { ...comparedReport(printed.report, ''), cause: titleOf(incident), facts: ['Lines of the log'] };
  }
  if (incident !== null) {
    return comparedIncident(incident, addressRows(addresses, places).rows);
  }
  return answer === null || dump === null ? null : comparedReport(answer.report, dump.name);
}
