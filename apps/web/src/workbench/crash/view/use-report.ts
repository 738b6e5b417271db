/** What a core dump says with the ELF files that are open, asked for again when there are others. */
import { useEffect, useState } from 'react';
import { reportOf, useOpenFiles } from '../symbol-files.ts';
import type { ReportAnswer } from '../symbol-protocol.ts';

/** Null while nothing is known. @param dump null for none */
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
      // Without the thread that reads dumps, the list of dumps says what happened to it.
      (error: unknown) => console.warn('The core dump was not read.', error),
    );
    return () => {
      wanted = false;
    };
  }, [dump, files]);
  return answer?.dump === dump ? answer.answer : null;
}
