/** Says that a board with Python is on a port: what Enter sends now, and where its files are. */
import { portNumbers } from '@wirebench/serial';
import { FolderTree, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import styles from '../../../../workbench/strip.module.css';
import { useTypedEnding } from '../../send/typed-ending.ts';
import { changeTerminalSession } from '../../terminal-session.ts';
import { showTool, useOpenTool } from '../open-tool.ts';

export function BoardStrip() {
  const [dismissed, setDismissed] = useState<readonly number[]>([]);
  const tool = useOpenTool();
  const seen = useBenchStatus(({ boards, advice }) =>
    portNumbers.filter((port) => boards[port].banner !== null || advice[port].isPython),
  );
  const port = seen.find((candidate) => !dismissed.includes(candidate));
  const { isAdapted } = useTypedEnding(port ?? 1);
  const hasFiles = useBenchStatus(({ devices }) => port !== undefined && devices[port]?.kind !== 'remote');
  if (port === undefined || tool === 'board-files' || !(hasFiles || isAdapted)) {
    return null;
  }
  const close = () => setDismissed([...dismissed, port]);
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <PortFlag port={port} />
      <span>
        A board with <b>Python</b> is on Port {port}.{isAdapted ? ' Enter now sends CR, as it expects.' : ''}
      </span>
      <span className={styles['end']}>
        {hasFiles ? (
          <Button
            size="sm"
            icon={<FolderTree />}
            onClick={() => {
              close();
              changeTerminalSession({ selectedPort: port });
              showTool('board-files');
              // A load that fails is said by the tool, which needs the same file.
              import('./board-store.ts').then(
                ({ listBoard }) => listBoard(port),
                () => undefined,
              );
            }}
          >
            Show its files
          </Button>
        ) : null}
        <IconButton label="Close" variant="quiet" size="sm" icon={<X />} onClick={close} />
      </span>
    </div>
  );
}
