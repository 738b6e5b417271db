/** Shows a core dump: the cause, the tasks, and the frames, registers and stack of the selected task. */
import {
  type CrashReport,
  causeHint,
  causeTitle,
  dumpVerdict,
  factsOf,
  type ReportAnswer,
  type ReportedTask,
  reportText,
  stackShare,
  taskName,
} from '@wirebench/symbols';
import { Copy, Download, ScrollText, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { count } from '../../../shared/format/numbers.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { clockTime } from '../../console/row-times.ts';
import {
  addDemoElf,
  coreFileOf,
  type ListedDump,
  type ListedFile,
  removeCoreDump,
  useSymbolFiles,
} from '../symbol-files.ts';
import styles from './crash-panel.module.css';
import { chipLabel } from './dump-facts.ts';
import dumpStyles from './dump-view.module.css';
import { TaskDetail } from './task-detail.tsx';
import { useReport } from './use-report.ts';

export interface DumpViewProps {
  readonly dump: ListedDump;
  /** Text saying that the same crash happened before. Null: no earlier occurrence is known. */
  readonly same?: string | null;
  /** True: the page accepts dropped ELF files. */
  readonly canDrop?: boolean;
  /** True: the dump is of a demo device, whose ELF file is included. */
  readonly isDemo?: boolean;
  /** Shows the log at this time. Undefined: there is no log. */
  readonly onShowTime?: (at: number) => void;
  /** Renders more buttons for the text of a dump. */
  readonly moreActions?: (text: () => string) => ReactNode;
  /** Renders additional content about a dump. */
  readonly more?: (report: CrashReport) => ReactNode;
}

export function DumpView(props: DumpViewProps) {
  const { dump } = props;
  return (
    <article className={styles['detail']} aria-label="Core dump">
      {dump.state.kind === 'open' ? (
        <OpenDump {...props} />
      ) : (
        <DumpHead title={dump.name} dump={dump}>
          {dump.state.kind === 'failed' ? (
            <p className={styles['warning']}>{dump.state.message}</p>
          ) : (
            <p role="status">Reading the core dump.</p>
          )}
        </DumpHead>
      )}
    </article>
  );
}

interface DumpHeadProps {
  readonly title: string;
  readonly dump: ListedDump;
  readonly copied?: (() => string) | undefined;
  /** Additional buttons. */
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

function DumpHead({ title, dump, copied, actions, children }: DumpHeadProps) {
  return (
    <>
      <div className={styles['titleRow']}>
        <h2 className={styles['title']}>{title}</h2>
        {copied === undefined ? null : (
          <Button size="sm" icon={<Copy />} onClick={() => void copyText(copied(), 'Crash copied')}>
            Copy as text
          </Button>
        )}
        {actions}
        <IconButton
          label={`Close ${dump.name}`}
          size="sm"
          variant="quiet"
          icon={<X />}
          onClick={() => removeCoreDump(dump.id)}
        />
      </div>
      {children}
    </>
  );
}

interface ShownFrames {
  /** TCB of the selected task; null before a selection. */
  readonly task: number | null;
  /** Selected frame by the TCB of its task. A task without an entry shows its innermost frame. */
  readonly frames: Readonly<Record<number, number>>;
}

const none: ShownFrames = { task: null, frames: {} };

/** By id of the dump. Ids are never reused. */
const shown = pageStore<Readonly<Record<number, ShownFrames>>>({});

/**
 * Selected task of a core dump, and selected frame of each task. The page keeps it, because a resized window mounts
 * the view again.
 */
export function useShownFrames(dump: number): ShownFrames {
  return shown.use((all) => all[dump] ?? none);
}

export function showTask(dump: number, task: number): void {
  shown.setState((all) => ({ [dump]: { ...(all[dump] ?? none), task } }));
}

export function showFrame(dump: number, task: number, frame: number): void {
  shown.setState((all) => {
    const before = all[dump] ?? none;
    return { [dump]: { ...before, frames: { ...before.frames, [task]: frame } } };
  });
}

function OpenDump({ dump, same = null, canDrop = true, isDemo = false, onShowTime, moreActions, more }: DumpViewProps) {
  const files = useSymbolFiles();
  const answer = useReport(dump);
  const { task: chosen, frames } = useShownFrames(dump.id);
  if (answer === null) {
    return (
      <DumpHead title={dump.name} dump={dump}>
        <p role="status">Reading the core dump.</p>
      </DumpHead>
    );
  }
  const { report } = answer;
  const task = report.tasks.find(({ tcb }) => tcb === chosen) ?? report.tasks[0];
  const facts = factsOf(report, dump.name, chipLabel(report));
  const hint = causeHint(report);
  const text = () => reportText(report, facts);
  return (
    <>
      <DumpHead
        title={causeTitle(report)}
        dump={dump}
        copied={text}
        actions={
          <>
            {moreActions?.(text)}
            <DumpActions dump={dump} {...(onShowTime !== undefined && { onShowTime })} />
          </>
        }
      >
        {hint === null ? null : <p className={styles['facts']}>{hint}</p>}
        {same === null ? null : (
          <p role="status" className={styles['facts']}>
            {same}
          </p>
        )}
        <p className={styles['small']}>{facts.join(' · ')}</p>
        <ElfVerdict canDrop={canDrop} isDemo={isDemo} answer={answer} files={files} />
        {more === undefined ? null : <div className={styles['more']}>{more(report)}</div>}
      </DumpHead>
      {task === undefined ? (
        <p>This core dump holds no task.</p>
      ) : (
        <div className={`stack ${dumpStyles['columns']}`}>
          <TaskList tasks={report.tasks} shown={task.tcb} onChoose={(tcb) => showTask(dump.id, tcb)} />
          <TaskDetail
            key={task.tcb}
            task={task}
            shown={frames[task.tcb] ?? 0}
            onChoose={(frame) => showFrame(dump.id, task.tcb, frame)}
            hasProgram={answer.file !== null}
          />
        </div>
      )}
    </>
  );
}

/** Buttons for the dump's lines in the log, if it has any, and for saving the file that GDB opens. */
function DumpActions({ dump, onShowTime }: Pick<DumpViewProps, 'dump' | 'onShowTime'>) {
  const save = async () => {
    try {
      saveFile(await coreFileOf(dump.id), `${clockTime(dump.at).replaceAll(/\W/g, '-')}.core`);
    } catch (error) {
      // If the worker failed, the list of dumps shows its error.
      console.warn('The core file was not saved.', error);
    }
  };
  return (
    <>
      <Button size="sm" icon={<Download />} onClick={() => void save()}>
        Save ELF core
      </Button>
      {dump.port === null || onShowTime === undefined ? null : (
        <IconButton
          label="Show in the log"
          size="sm"
          variant="quiet"
          icon={<ScrollText />}
          onClick={() => onShowTime(dump.at)}
        />
      )}
    </>
  );
}

interface ElfVerdictProps {
  readonly canDrop: boolean;
  readonly isDemo: boolean;
  readonly answer: ReportAnswer;
  readonly files: readonly ListedFile[];
}

function ElfVerdict({ canDrop, isDemo, answer, files }: ElfVerdictProps) {
  const ask = (wanted: string) => (canDrop ? `Drop ${wanted} on the page` : `Add ${wanted}`);
  const { text, isWarning } = dumpVerdict(answer, (wanted) => files.find(({ id }) => id === wanted)?.name, ask);
  return (
    <>
      <p role="status" className={isWarning ? styles['warning'] : styles['small']}>
        {text}
      </p>
      {isDemo && answer.file === null ? (
        <div>
          <Button size="sm" onClick={() => void addDemoElf()}>
            Use the demo's ELF file
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface TaskListProps {
  readonly tasks: readonly ReportedTask[];
  readonly shown: number;
  readonly onChoose: (tcb: number) => void;
}

/** Share of a stack from which it is shown as almost full. */
const fullShare = 0.85;

function TaskList({ tasks, shown, onChoose }: TaskListProps) {
  return (
    <ul className={dumpStyles['tasks']} aria-label="Tasks, the crashed one first">
      {tasks.map((task) => {
        const share = stackShare(task);
        return (
          <li key={task.tcb}>
            <button
              type="button"
              className={`ring-inside ${dumpStyles['task']}`}
              data-crashed={task.crashed || undefined}
              aria-current={task.tcb === shown ? true : undefined}
              onClick={() => onChoose(task.tcb)}
            >
              <span className={`ellipsis ${dumpStyles['taskName']}`}>{taskName(task)}</span>
              <span>{task.crashed ? 'crashed' : task.priority === null ? '' : `priority ${task.priority}`}</span>
              {share === null ? null : (
                <>
                  <Meter
                    className={share.used / share.size > fullShare ? dumpStyles['full'] : undefined}
                    aria-label={`Stack used of ${taskName(task)}`}
                    max={share.size}
                    value={share.used}
                  />
                  <span className={dumpStyles['share']}>
                    {count(share.used)} / {count(share.size)}
                  </span>
                </>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
