/** Line below the tabs about the log of the selected tab: what it is, the part that is held, and what can be done. */
import { type PortNumber, parseFilterField } from '@wirebench/serial';
import type { LogProgramName, LogVerdict } from '@wirebench/serial/opened-log';
import { ChevronLeft, ChevronRight, Clock, FileText, FolderOpen, Search, X } from 'lucide-react';
import type { OpenedLog } from '../../protocol/log-protocol.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useFind } from '../../workbench/console/find/find-store.ts';
import { revealLine } from '../../workbench/console/reveal-line.ts';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';
import { isWhole, useLogs } from '../../workbench/opened-log/log-store.ts';
import { chooseLogs } from './choose-logs.ts';
import { candidateText, factsText, heldText, placeText } from './log-words.ts';
import { MarkTime } from './mark-time.tsx';
import styles from './opened-log.module.css';

/** @param log Number of the log whose tab is selected. */
export function LogBanner({ log }: { readonly log: PortNumber }) {
  const opened = useLogs((tick) => tick.logs.find((one) => one.log === log) ?? tick.logs[0] ?? null);
  return (
    <section aria-label="Opened log" className={styles['banner']}>
      {opened === null ? null : <LogLine log={opened} />}
      <Work />
    </section>
  );
}

function LogLine({ log }: { readonly log: OpenedLog }) {
  return (
    <div className={styles['log']} data-port={log.log}>
      {log.verdict === null ? null : <Verdict verdict={log.verdict} />}
      <p className={styles['facts']} title={log.name}>
        <span>{factsText(log)}</span>
      </p>
      {log.candidates.length === 0 ? null : <Candidates log={log} />}
      {log.mayHaveTimes && log.candidates.length === 0 ? (
        <span className={styles['part']}>
          <span>No times recognised.</span>
          <MarkTime log={log} />
        </span>
      ) : null}
      {isWhole(log) ? null : <Part log={log} />}
      <span className={styles['end']}>
        <Button size="sm" variant="quiet" icon={<FolderOpen />} aria-label="Open another log" onClick={chooseLogs}>
          <span className={styles['word']}>Open another…</span>
        </Button>
        <IconButton
          label={`Close ${log.name}`}
          size="sm"
          variant="quiet"
          icon={<X />}
          onClick={() => void toastLogError(getLogs().call('close', log.log))}
        />
      </span>
    </div>
  );
}

/** Says how the test on boards has ended that wrote the log. */
function Verdict({ verdict: { isPassed, text } }: { readonly verdict: LogVerdict }) {
  return (
    <p className={styles['verdict']} title={text}>
      <Badge tone={isPassed ? 'success' : 'danger'}>{isPassed ? 'Passed' : 'Failed'}</Badge>
      <span className="ellipsis">{text}</span>
    </p>
  );
}

/** Says that the times of the lines are ambiguous, and offers each way to read them. */
function Candidates({ log: { log, candidates } }: { readonly log: OpenedLog }) {
  const choose = (program: LogProgramName) => void toastLogError(getLogs().call('choose', log, { program }));
  return (
    <span className={styles['part']}>
      <span>Its times can be read in {candidates.length} ways, so none is shown.</span>
      <Menu
        align="end"
        items={candidates.map((name) => ({
          label: candidateText(name),
          icon: <Clock />,
          onSelect: () => choose(name),
        }))}
        trigger={(props) => (
          <Button {...props} size="sm">
            Choose one…
          </Button>
        )}
      />
    </span>
  );
}

/** The part of a large file whose lines are held, and the ways to its other parts. */
function Part({ log }: { readonly log: OpenedLog }) {
  const working = useLogs((tick) => tick.work !== null);
  const text = useFind((find) => (find.failure === null ? find.text : ''));
  const show = (from: number) => void showPart(log, from);
  return (
    <span className={styles['part']}>
      <span>
        {heldText(log)}
        <span className={styles['place']}>, {placeText(log)}</span>
      </span>
      <IconButton
        label="Earlier part"
        size="sm"
        variant="quiet"
        icon={<ChevronLeft />}
        disabled={working || log.from <= 3}
        onClick={() => show(Math.max(0, log.from - log.room))}
      />
      <IconButton
        label="Later part"
        size="sm"
        variant="quiet"
        icon={<ChevronRight />}
        disabled={working || log.to >= log.size}
        onClick={() => show(log.to)}
      />
      {text === '' || working ? null : (
        <Button size="sm" icon={<Search />} onClick={() => void findInRest(log, text)}>
          Find in the rest
        </Button>
      )}
    </span>
  );
}

async function showPart({ log }: OpenedLog, from: number): Promise<void> {
  await toastLogError(getLogs().call('showPart', log, from));
  revealLine(0);
}

async function findInRest(log: OpenedLog, text: string): Promise<void> {
  const parsed = parseFilterField(text);
  if (!parsed.ok) {
    return;
  }
  await toastLogError(
    (async () => {
      const sequence = await getLogs().call('findOn', log.log, parsed.query);
      if (sequence === null) {
        toast(`The rest of ${log.name} has no such line.`, { level: 'info' });
      } else if (sequence !== 'cancelled') {
        revealLine(sequence);
      }
    })(),
  );
}

const doing = { reading: 'Reading…', finding: 'Searching…' } as const;

/** Progress of a long read or search, and the button that stops it. */
function Work() {
  const work = useLogs((tick) => tick.work);
  if (work === null || work.total < longWork) {
    return null;
  }
  return (
    <div className={styles['work']} role="status">
      <FileText />
      <span>{doing[work.kind]}</span>
      <ProgressBar label={doing[work.kind]} done={work.total === 0 ? null : Math.min(1, work.done / work.total)} />
      <Button size="sm" onClick={() => void toastLogError(getLogs().call('cancel'))}>
        Cancel
      </Button>
    </div>
  );
}

/** Bytes from which work takes long enough to be shown. */
const longWork = 4 << 20;
