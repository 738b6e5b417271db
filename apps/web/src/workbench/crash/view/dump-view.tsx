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
import { Copy, Download, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Incident } from '../../../protocol/bench/crash-part.ts';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { count } from '../../../shared/format/numbers.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { MenuAction } from '../../../shared/ui/menu.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { clockTime } from '../../console/row-times.ts';
import { removeCrash } from '../remove-crash.ts';
import { addDemoElf, coreFileOf, type ListedDump, type ListedFile, useSymbolFiles } from '../symbol-files.ts';
import { CrashHead } from './crash-head.tsx';
import styles from './crash-panel.module.css';
import { chipLabel } from './dump-facts.ts';
import dumpStyles from './dump-view.module.css';
import { SymbolFilesBar } from './symbol-files-bar.tsx';
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
  /** Lines of the log that belong to the crash, which are removed with it. */
  readonly incident?: Incident | null;
  /** Returns more actions that copy the text of a dump. */
  readonly copyActions?: (text: () => string) => readonly MenuAction[];
  readonly otherActions?: (report: CrashReport) => readonly MenuAction[];
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
        <>
          <CrashHead title={dump.name} actions={[]} onRemove={() => remove(props)} />
          {dump.state.kind === 'failed' ? (
            <p className={styles['warning']}>{dump.state.message}</p>
          ) : (
            <p role="status">Reading the core dump.</p>
          )}
          <SymbolFilesBar canDrop={props.canDrop ?? true} />
        </>
      )}
    </article>
  );
}

const remove = ({ dump, incident = null }: DumpViewProps) => removeCrash({ dump: dump.id, incident });

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

function OpenDump(props: DumpViewProps) {
  const { dump, same = null, canDrop = true, isDemo = false, onShowTime, copyActions, otherActions, more } = props;
  const files = useSymbolFiles();
  const answer = useReport(dump);
  const { task: chosen, frames } = useShownFrames(dump.id);
  if (answer === null) {
    return (
      <>
        <CrashHead title={dump.name} actions={[]} onRemove={() => remove(props)} />
        <p role="status">Reading the core dump.</p>
        <SymbolFilesBar canDrop={canDrop} asks={false} />
      </>
    );
  }
  const { report } = answer;
  const task = report.tasks.find(({ tcb }) => tcb === chosen) ?? report.tasks[0];
  const facts = factsOf(report, dump.name, chipLabel(report));
  const hint = causeHint(report);
  const text = () => reportText(report, facts);
  return (
    <>
      <CrashHead
        title={causeTitle(report)}
        actions={[
          { label: 'Copy as text', icon: <Copy />, onSelect: () => void copyText(text(), 'Crash copied') },
          ...(copyActions?.(text) ?? []),
          { label: 'Save ELF core', icon: <Download />, onSelect: () => void saveCore(dump) },
          ...(dump.port === null || onShowTime === undefined
            ? []
            : [{ label: 'Show the dump', icon: <ScrollText />, onSelect: () => onShowTime(dump.at) }]),
          ...(otherActions?.(report) ?? []),
        ]}
        onRemove={() => remove(props)}
      />
      {hint === null ? null : <p className={styles['facts']}>{hint}</p>}
      {same === null ? null : (
        <p role="status" className={styles['facts']}>
          {same}
        </p>
      )}
      <p className={styles['small']}>{facts.join(' · ')}</p>
      <ElfVerdict canDrop={canDrop} isDemo={isDemo} answer={answer} files={files} />
      <SymbolFilesBar canDrop={canDrop} asks={answer.file === null} />
      {more === undefined ? null : <div className={styles['more']}>{more(report)}</div>}
      {task === undefined ? (
        <p>This core dump holds no task.</p>
      ) : (
        <>
          <TaskList tasks={report.tasks} shown={task.tcb} onChoose={(tcb) => showTask(dump.id, tcb)} />
          <TaskDetail
            key={task.tcb}
            task={task}
            shown={frames[task.tcb] ?? 0}
            onChoose={(frame) => showFrame(dump.id, task.tcb, frame)}
            hasProgram={answer.file !== null}
          />
        </>
      )}
    </>
  );
}

/** Saves the file that GDB opens. */
async function saveCore(dump: ListedDump): Promise<void> {
  try {
    saveFile(await coreFileOf(dump.id), `${clockTime(dump.at).replaceAll(/\W/g, '-')}.core`);
  } catch (error) {
    // If the worker failed, the list of dumps shows its error.
    console.warn('The core file was not saved.', error);
  }
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
              aria-pressed={task.tcb === shown}
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
