/** Loads the report of a core dump with the open ELF files, and reloads it after each change of the files. */
import { useEffect, useState } from 'react';
import type { Incident } from '../../../protocol/incident.ts';
import type { ReportAnswer } from '../../../protocol/symbol-protocol.ts';
import { logReportOf, reportOf, useOpenFiles } from '../symbol-files.ts';

/**
 * Returns null until the report is known.
 * @param dump Null for no dump.
 */
export function useReport(dump: number | null): ReportAnswer | null {
  const files = useOpenFiles();
  const [answer, setAnswer] = useState<{ readonly dump: number; readonly answer: ReportAnswer } | null>(null);
  useEffect(() => {
    if (dump === null) {
      return;
    }
    let wanted = true;
    reportOf({ dump, files }).then(
      (found) => {
        if (wanted) {
          setAnswer({ dump, answer: found });
        }
      },
      // If the worker failed, the list of dumps shows its error.
      (error: unknown) => console.warn('The core dump was not read.', error),
    );
    return () => {
      wanted = false;
    };
  }, [dump, files]);
  return answer?.dump === dump ? answer.answer : null;
}

/**
 * Returns the report on the state that a panic printed, made with the ELF file of the running build. Null until it is
 * known, or if it cannot be made.
 * @param incident Null for no incident.
 */
export function useLogReport(incident: Incident | null): ReportAnswer | null {
  const files = useOpenFiles();
  const [answer, setAnswer] = useState<{ readonly of: Incident; readonly answer: ReportAnswer | null } | null>(null);
  const hasState = incident?.lines.some(({ registers }) => registers !== undefined) ?? false;
  useEffect(() => {
    if (incident === null || !hasState || files.length === 0) {
      return;
    }
    let wanted = true;
    logReportOf({ lines: incident.lines, files, build: incident.hash }).then(
      (found) => {
        if (wanted) {
          setAnswer({ of: incident, answer: found });
        }
      },
      // If the worker failed, the list of dumps shows its error.
      (error: unknown) => console.warn('The stack of the panic was not read.', error),
    );
    return () => {
      wanted = false;
    };
  }, [incident, hasState, files]);
  return files.length > 0 && answer?.of === incident ? answer.answer : null;
}
