/** End of a run of all commands, below them: its verdict, the first failure of each board, and what a person takes away. */
import { verdictFacts, verdictNames } from '@wirebench/runs';
import {
  ChevronDown,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  Copy,
  FileText,
  SquareTerminal,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { exportJkit } from './jkit-files.ts';
import type { DevicePanel } from './model/device-panel.ts';
import type { BoardFault, PanelVerdict, SavedRun } from './run/run-exports.ts';
import { loadExports, type Run, saveAndCopy, slowestStep, useRuns } from './run/runs.ts';
import styles from './run-verdict.module.css';

export interface RunVerdictProps {
  readonly panel: DevicePanel;
  /** Shows the log's lines at a time, in milliseconds since the Unix epoch. */
  readonly onShowTime: (at: number) => void;
}

/** Milliseconds between two times of a run that goes on. */
const TICK = 100;

const icons = {
  passed: CircleCheck,
  failed: CircleX,
  stopped: CircleSlash,
  unchecked: CircleDashed,
} satisfies Record<PanelVerdict['kind'], unknown>;

export function RunVerdict({ panel, onShowTime }: RunVerdictProps) {
  const { id } = panel;
  const running = useRuns((runs) => runs.running[id]);
  const verdict = useRuns((runs) => runs.verdicts[id]);
  const saved = useRuns((runs) => runs.saved[id]);
  const run = running?.kind === 'all' ? running : undefined;
  const shown = run === undefined ? verdict : undefined;
  const Icon = shown === undefined ? null : icons[shown.kind];
  return (
    <>
      <div className={classNames(styles['verdict'], shown !== undefined && styles[shown.kind])}>
        {/* It is there before its text, so that screen readers announce the text. */}
        <div role="status" className={styles['words']}>
          {run === undefined ? null : <Progress run={run} />}
          {shown === undefined || Icon === null ? null : (
            <>
              <Icon aria-hidden />
              <b>{verdictNames[shown.kind]}</b> <span>{verdictFacts(shown)}</span>
            </>
          )}
        </div>
        {shown === undefined ? null : <SaveButtons panel={panel} verdict={shown} />}
      </div>
      {shown?.kind === 'unchecked' ? (
        <p className={styles['note']}>Nothing was checked: let a command wait for an answer, or a rule decide.</p>
      ) : null}
      {shown?.said.map((said) => (
        <p key={said} className={styles['note']}>
          {said}
        </p>
      ))}
      {shown?.faults.map((fault) => (
        <Fault key={fault.port} board={fault} onShowTime={onShowTime} />
      ))}
      {shown === undefined || saved === undefined ? null : <Saved saved={saved} />}
    </>
  );
}

function Progress({ run }: { readonly run: Run }) {
  const step = slowestStep(run);
  return (
    <>
      <Spinner />
      <span>
        {step === null ? 'Waits for the rules' : `Command ${step.step} of ${run.steps}`}
        <Elapsed since={run.startedAt} />
      </span>
      {step === null ? null : <span>{liveText(step)}</span>}
    </>
  );
}

/** Time since the start of a run. Not announced: it changes ten times a second. */
function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return <span aria-hidden> · {(Math.max(0, now - since) / 1_000).toFixed(1)} s</span>;
}

/** Returns which try a command is at, and the answer to the one before; empty for the first. */
function liveText({ attempt, lastAnswer }: NonNullable<ReturnType<typeof slowestStep>>): string {
  return attempt === 1 ? '' : `try ${attempt}${lastAnswer === null ? '' : `, after ${lastAnswer}`}`;
}

interface SaveButtonsProps {
  readonly panel: DevicePanel;
  readonly verdict: PanelVerdict;
}

function SaveButtons({ panel, verdict }: SaveButtonsProps) {
  const report = () => void loadExports().then((exports) => exports?.saveReport(verdict));
  if (verdict.kind === 'unchecked') {
    return (
      <Button
        size="sm"
        icon={<FileText />}
        className={styles['save']}
        aria-label={`Save the report of ${panel.name}`}
        onClick={report}
      >
        Save the report
      </Button>
    );
  }
  return (
    <span className={styles['save']}>
      <Button size="sm" icon={<SquareTerminal />} onClick={() => void saveAndCopy(panel)}>
        Save and copy the command
      </Button>
      <Menu
        align="end"
        items={[
          {
            label: 'Report of this run',
            detail: 'What was sent, awaited and seen',
            icon: <FileText />,
            onSelect: report,
          },
          { label: 'Test file', detail: 'For the shell', icon: <SquareTerminal />, onSelect: () => exportJkit(panel) },
          {
            label: 'Copy the command',
            detail: 'It runs the test file in a shell',
            icon: <Copy />,
            onSelect: () => void loadExports().then((exports) => exports?.copyCommand(panel)),
          },
        ]}
        trigger={(props) => (
          <IconButton
            {...props}
            label={`Other ways to save the run of ${panel.name}`}
            size="sm"
            icon={<ChevronDown />}
          />
        )}
      />
    </span>
  );
}

interface FaultProps {
  readonly board: BoardFault;
  readonly onShowTime: (at: number) => void;
}

/** First failure of a board: where, what was awaited, and what came last. */
function Fault({ board: { port, fault }, onShowTime }: FaultProps) {
  const ports = useTerminalSettings((settings) => settings.ports);
  const { command, cause, awaited, last, at } = fault;
  return (
    <dl className={styles['facts']}>
      <Fact name="Where">
        <PortFlag port={port} /> {portName({ ports }, port)},{' '}
        {command === null ? null : (
          <>
            <code>{command}</code>,{' '}
          </>
        )}
        {cause}
      </Fact>
      {awaited.length === 0 ? null : (
        <>
          <Fact name="Awaited">
            <code>{awaited.join(' or ')}</code>
          </Fact>
          <Fact name="Last came">{last === null ? 'Nothing' : <code>{last}</code>}</Fact>
        </>
      )}
      {at === null ? null : (
        <dd className={styles['show']}>
          <Button size="sm" variant="quiet" onClick={() => onShowTime(at)}>
            Show in the log
          </Button>
        </dd>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The command of a saved test. It is selected if the browser did not copy it. */
function Saved({ saved: { file, command, isDemo, notCopied } }: { readonly saved: SavedRun }) {
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    if (notCopied !== null && text.current !== null) {
      getSelection()?.selectAllChildren(text.current);
    }
  }, [notCopied]);
  return (
    <div className={styles['saved']}>
      <code ref={text}>{command}</code>
      <span role="status" className={styles[notCopied === null ? 'copied' : 'refused']}>
        {notCopied === null ? (
          <>
            <CircleCheck aria-hidden />
            Copied
          </>
        ) : (
          `Not copied: ${notCopied} Copy the selected line.`
        )}
      </span>
      <span className={styles['where']}>
        {file} is in your downloads.{' '}
        {isDemo ? (
          <>
            For a board on a port: <code>--port PORT</code> in place of <code>--simulate</code>
          </>
        ) : (
          'Write the name of the port in place of PORT.'
        )}
      </span>
    </div>
  );
}
