import { endingOf } from '@wirebench/runs';
import type { LineEnding } from '@wirebench/serial';
import { FileDown, Play, Square } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import type { DevicePanel } from './model/device-panel.ts';
import { maxPinnedMessages } from './model/panel-failure.ts';
import { openTarget } from './run/prepare-run.ts';
import { loadExports, type Run, runAll, stopRun, useRuns } from './run/runs.ts';
import styles from './run-line.module.css';
import { setEnding } from './store/panel-actions.ts';
import { useOtherOwner } from './store/panel-owner.ts';

const endings: readonly (readonly [LineEnding, string])[] = [
  ['lf', 'LF'],
  ['crlf', 'CRLF'],
  ['cr', 'CR'],
  ['none', 'None'],
];

/** Line below the head: the button that runs all messages, their number, and the line ending. */
export function RunLine({ panel }: { readonly panel: DevicePanel }) {
  const { id, name, pinnedMessages } = panel;
  const run = useRuns(({ running }) => running[id]);
  const ready = useBenchStatus((view) => openTarget(panel, portStates(view)).ok);
  const readOnly = useOtherOwner(panel) !== null;
  const all = run?.kind === 'all' ? run : null;
  const transcript = useRuns(({ transcripts }) => transcripts[id]);
  return (
    <div className={`row ${styles['line']}`}>
      {all === null ? (
        <Button
          size="sm"
          variant="quiet"
          icon={<Play />}
          className={classNames(styles['solid'], !ready && styles['blocked'])}
          disabled={pinnedMessages.length === 0 || run !== undefined}
          onClick={() => void runAll(id)}
        >
          Run all
        </Button>
      ) : (
        <Button
          size="sm"
          icon={<Square />}
          className={styles['solid']}
          aria-label={`Stop the run of ${name}`}
          onClick={() => stopRun(id)}
        >
          Stop
        </Button>
      )}
      <span className={styles['count']}>
        {all === null ? `${pinnedMessages.length} / ${maxPinnedMessages}` : `message ${all.step} of ${all.steps}`}
      </span>
      {all === null ? null : <span className={`ellipsis ${styles['live']}`}>{liveText(all)}</span>}
      {run !== undefined || transcript === undefined ? null : (
        <Button
          size="sm"
          variant="quiet"
          icon={<FileDown />}
          aria-label={`Save the run of ${name}`}
          onClick={() => void loadExports().then((exports) => exports?.saveTranscript(transcript))}
        >
          Save
        </Button>
      )}
      {readOnly ? (
        <span className={styles['fixed']}>{endings.find(([value]) => value === endingOf(panel))?.[1]}</span>
      ) : (
        <select
          className={styles['ending']}
          aria-label={`Line ending of ${name}`}
          value={endingOf(panel)}
          onChange={(event) => {
            const chosen = endings.find(([value]) => value === event.currentTarget.value)?.[0];
            if (chosen !== undefined) {
              setEnding(id, chosen);
            }
          }}
        >
          {endings.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Returns the try and the last answer of a run, as far as there are some. */
function liveText({ attempt, lastAnswer }: Run): string {
  return [...(attempt > 1 ? [`try ${attempt}`] : []), ...(lastAnswer === null ? [] : [`after ${lastAnswer}`])].join(
    ', ',
  );
}
