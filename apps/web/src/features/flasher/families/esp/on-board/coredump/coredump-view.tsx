/** The crash that a program has stored: its cause, program and task once it was read. The card below has the rest. */

import type { Partition } from '@wirebench/flasher/esp';
import { causeHint, causeTitle, factsOf, taskName } from '@wirebench/symbols';
import { FileWarning } from 'lucide-react';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { type ListedDump, useCoreDumps } from '../../../../../../workbench/crash/symbol-files.ts';
import { chipLabel } from '../../../../../../workbench/crash/view/dump-facts.ts';
import { useReport } from '../../../../../../workbench/crash/view/use-report.ts';
import { useCanRead } from '../../../../board/use-can-read.ts';
import { backupName, readCrash } from '../../../../store/contents-actions.ts';
import { useFlash } from '../../../../store/flasher-store.ts';
import { FactList } from '../fact-list.tsx';
import styles from '../on-board.module.css';
import type { PartitionViewProps } from '../partition-view.ts';

export function CoredumpView({ port, partition }: PartitionViewProps<never>) {
  const canRead = useCanRead();
  const holds = useFlash(({ board }) => board?.family === 'esp' && board.crash?.offset === partition.offset);
  const head = useFlash(({ board }) =>
    board?.family === 'esp' ? board.heads?.find(({ offset }) => offset === partition.offset) : undefined,
  );
  const dump = useDump(backupName(port, partition.name, rangeOf(partition)));
  return (
    <div className={`stack apart ${styles['body']}`}>
      {dump === null ? (
        <p>
          {holds
            ? 'Begins like a core dump: a copy of what every task was doing when the program crashed.'
            : head?.empty === true
              ? 'Empty: the program has stored no crash here.'
              : 'Nothing here begins like a core dump.'}
        </p>
      ) : (
        <Cause dump={dump} />
      )}
      <div>
        <Button
          icon={<FileWarning />}
          disabled={!canRead}
          onClick={() => void readCrash(port, partition.name, rangeOf(partition))}
        >
          Read the crash
        </Button>
        <p className="small">Reading does not change the board. Nothing leaves this browser unless you send it.</p>
      </div>
    </div>
  );
}

const rangeOf = ({ offset, size }: Partition) => ({ offset, length: size });

/** Returns the newest core dump with this name; null before it was read. */
function useDump(name: string): ListedDump | null {
  return useCoreDumps().find((dump) => dump.name === name) ?? null;
}

function Cause({ dump }: { readonly dump: ListedDump }) {
  const answer = useReport(dump);
  if (dump.state.kind === 'failed') {
    return <p>The crash could not be read. What is below says why.</p>;
  }
  if (answer === null) {
    return <p role="status">Reading the core dump.</p>;
  }
  const { report } = answer;
  const crashed = report.tasks.find((task) => task.crashed) ?? null;
  return (
    <>
      <div className={styles['cause']}>
        <h4 className={styles['title']}>{causeTitle(report)}</h4>
        <p>{causeHint(report)}</p>
      </div>
      <FactList
        facts={[
          ['Program', report.appHash === null ? null : `ELF file ${report.appHash}`],
          ['Task', crashed === null ? null : taskName(crashed)],
          ['Tasks', String(report.tasks.length)],
          ['Made with', factsOf(report, dump.name, chipLabel(report)).slice(1, 3).join(', ')],
        ]}
      />
      <p className="small">All tasks with their stacks are below.</p>
    </>
  );
}
