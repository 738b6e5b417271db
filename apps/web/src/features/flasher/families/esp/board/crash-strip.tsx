/** Strip at the top of the page: reports that the connected board holds a crash, and offers to read it. */
import { FileWarning } from 'lucide-react';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { holdsContents, isReady } from '../../../state/flash-state.ts';
import { readCrash } from '../../../store/contents-actions.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import styles from './crash-card.module.css';

export function CrashStrip() {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const crash = board?.family === 'esp' && holdsContents({ phase }) ? board.crash : null;
  return (
    <div role="status" className={styles['news']}>
      {crash === null ? null : (
        <Notice
          level="warning"
          title="This board holds a crash."
          action={
            <Button
              size="sm"
              icon={<FileWarning />}
              disabled={!isReady({ phase })}
              onClick={() => void readCrash(port, crash.name, crash)}
            >
              Read the crash
            </Button>
          }
        >
          Its partition “{crash.name}” begins like a core dump.
        </Notice>
      )}
    </div>
  );
}
