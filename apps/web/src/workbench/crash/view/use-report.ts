/** What a core dump says with the ELF files that are open, asked for again when there are others. */
import { useEffect, useState } from 'react';
import { reportOf } from '../symbol-files.ts';
import type { ReportAnswer } from '../symbol-protocol.ts';

/**
 * Null while nothing is known.
 * @param files ids of the open files, with commas between them.
 */
export function useReport(dump: number, files: string): ReportAnswer | null {
  const [answer, setAnswer] = useState<{ readonly dump: number; readonly answer: ReportAnswer } | null>(null);
  useEffect(() => {
    let wanted = true;
    const ids = files.split(',').filter(Boolean).map(Number);
    reportOf({ dump, files: ids }).then(
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
