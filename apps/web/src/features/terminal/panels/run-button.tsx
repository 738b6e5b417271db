import { Play, Square } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portStates } from '../open-ports-of.ts';
import type { DevicePanel } from './model/device-panel.ts';
import { sendFault } from './run/prepare-run.ts';
import { runAll, stopRun, useRuns } from './run/runs.ts';
import styles from './run-button.module.css';

/** Button that sends all commands one after the other, or stops that. */
export function RunButton({ panel }: { readonly panel: DevicePanel }) {
  const { id, name, pinnedMessages } = panel;
  const run = useRuns(({ running }) => running[id]);
  const ready = useBenchStatus((view) => sendFault(panel, portStates(view)) === null);
  const goesOn = run?.kind === 'all';
  return (
    <Button
      size="sm"
      icon={goesOn ? <Square /> : <Play />}
      className={classNames(styles['run'], !ready && !goesOn && styles['blocked'])}
      disabled={!goesOn && (pinnedMessages.length === 0 || run !== undefined)}
      aria-label={goesOn ? `Stop the run of ${name}` : `Run ${name}`}
      onClick={({ detail }) => {
        if (!goesOn) {
          void runAll(id);
        } else if (detail < 2) {
          // The second press of a double click was meant for the start.
          stopRun(id);
        }
      }}
    >
      {goesOn ? 'Stop' : 'Run'}
    </Button>
  );
}
