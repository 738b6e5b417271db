/** Loads the report of a core dump with the open ELF files, and reloads it after each change of the files. */
import type { ReportAnswer } from '@wirebench/symbols';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { useAsync } from '../../../shared/ui/use-async.ts';
import { type ListedDump, logReportOf, reportOf, useOpenFiles } from '../symbol-files.ts';

/**
 * Returns null until the report is known.
 * @param of Null for no dump. A dump that is still read has no report, and neither has one that could not be read.
 */
export function useReport(of: ListedDump | null): ReportAnswer | null {
  const files = useOpenFiles();
  const dump = of?.state.kind === 'open' ? of.id : null;
  const answer = useAsync(
    [dump, files],
    async () => (dump === null ? null : { dump, answer: await reportOf({ dump, files }) }),
    // If the worker failed, the list of dumps shows its error.
    (error) => console.warn('The core dump was not read.', error),
  );
  return answer != null && answer.dump === dump ? answer.answer : null;
}

/**
 * Returns the report on the state that a panic printed, made with the ELF file of the running build. Null until it is
 * known, or if it cannot be made.
 * @param incident Null for no incident.
 */
export function useLogReport(incident: Incident | null): ReportAnswer | null {
  const files = useOpenFiles();
  const hasState = incident?.lines.some(({ registers }) => registers !== undefined) ?? false;
  const isWanted = incident !== null && hasState && files.length > 0;
  const answer = useAsync(
    [incident, isWanted, files],
    async () =>
      isWanted
        ? { of: incident, answer: await logReportOf({ lines: incident.lines, files, build: incident.hash }) }
        : null,
    // If the worker failed, the list of dumps shows its error.
    (error) => console.warn('The stack of the panic was not read.', error),
  );
  return files.length > 0 && answer?.of === incident ? answer.answer : null;
}
