/** Offers to save the files of a Python board before a write, and to put them back after it. */
import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useShownFiles } from '../store/board-builds.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { openBoardFiles } from '../store/monitor-actions.ts';
import { useHeldFiles } from '../store/saved-files.ts';
import styles from './finding-list.module.css';

interface PythonFilesProps {
  readonly port: PortNumber;
  readonly when: 'before' | 'after';
}

/** Draws nothing unless a chosen file is MicroPython or CircuitPython and the board is at this computer. */
export function PythonFiles({ port, when }: PythonFilesProps) {
  const python = useShownFiles((chosen) => chosen.files.find((file) => file.python !== undefined)?.python ?? null);
  const isHere = useBenchStatus(
    ({ devices, users }) => devices[port] !== null && devices[port]?.kind !== 'remote' && users[port] === null,
  );
  const { archives } = useHeldFiles(port);
  const looksForFiles = useFlasher(({ flashes }) => flashes[port].plan?.saved !== undefined);
  const { savesFiles = false } = pageFamily();
  // The plan of such a family saves files itself, or says what to do. Those that are not put back are left to the terminal.
  const hasAll = looksForFiles && archives.every(({ isPutBack }) => isPutBack);
  const isDone = savesFiles && (when === 'before' || hasAll);
  if (python === null || !isHere || isDone) {
    return null;
  }
  const open = (label: string) => (
    <Button size="sm" onClick={() => openBoardFiles(port)}>
      {label}
    </Button>
  );
  return (
    <div className={`stack ${styles['list']}`}>
      {when === 'before' ? (
        <Notice level="info" title={`This firmware is ${python}.`} action={open('Save the files first')}>
          Files on the board can be lost. Save them as a zip in the terminal, and put them back after the write.
        </Notice>
      ) : (
        <Notice level="info" title={`${python} was written.`} action={open('Put the files back')}>
          Board files in the terminal puts the files of a saved zip back on the board.
        </Notice>
      )}
    </div>
  );
}
