/** Strip above the log after a board crashed, with a button that opens the crash panel. */
import { titleOf } from '@wirebench/symbols';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { useIncidents } from '../../../../workbench/crash/incidents.ts';
import { FailureStrip } from '../../failures/failure-strip.tsx';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { showTool, useOpenTool } from '../open-tool.ts';
import { chooseCrash } from './chosen-crash.ts';

export function CrashStrip() {
  const crash = useIncidents().find(({ severity }) => severity === 'fault');
  const tool = useOpenTool();
  const name = useTerminalSettings((settings) => portName(settings, crash?.port ?? 1));
  const [seen, setSeen] = useState(0);
  const shown = tool === 'crashes';
  if (shown && crash !== undefined && seen < crash.id) {
    setSeen(crash.id);
  }
  return (
    <div role="status">
      {crash === undefined || shown || crash.id <= seen ? null : (
        <FailureStrip
          port={crash.port ?? 1}
          title={`The board on ${name} crashed.`}
          actions={
            <Button
              size="sm"
              onClick={() => {
                // Also selects its core dump, which is in the same row.
                chooseCrash({ incident: crash.id });
                showTool('crashes');
              }}
            >
              View the crash
            </Button>
          }
          onDismiss={() => setSeen(crash.id)}
        >
          <p>{titleOf(crash)}</p>
        </FailureStrip>
      )}
    </div>
  );
}
