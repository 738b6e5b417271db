/** Offers the files of a board once its banner of MicroPython or CircuitPython has been seen. */
import { portNumbers } from '@wirebench/serial';
import { FolderTree } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import styles from '../../../../workbench/strip.module.css';
import { changeTerminalSession } from '../../terminal-session.ts';
import { showTool, useOpenTool } from '../open-tool.ts';

export function BoardStrip() {
  const [dismissed, setDismissed] = useState<readonly number[]>([]);
  const tool = useOpenTool();
  const seen = useBenchStatus(({ boards, devices }) =>
    portNumbers.filter((port) => boards[port].banner !== null && devices[port]?.kind !== 'remote'),
  );
  const port = seen.find((candidate) => !dismissed.includes(candidate));
  if (port === undefined || tool === 'board-files') {
    return null;
  }
  const close = () => setDismissed([...dismissed, port]);
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <PortFlag port={port} />
      <span>A board with Python is on Port {port}.</span>
      <span className={styles['end']}>
        <Button
          size="sm"
          icon={<FolderTree />}
          onClick={() => {
            close();
            changeTerminalSession({ selectedPort: port });
            showTool('board-files');
          }}
        >
          Board files
        </Button>
        <Button size="sm" variant="quiet" onClick={close}>
          Not now
        </Button>
      </span>
    </div>
  );
}
