/**
 * Accepts files dropped anywhere on the terminal, and pasted text of a crash. A hint is shown while a
 * file is dragged over it.
 */
import { use } from 'react';
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { useCodeRanges } from '../../../../workbench/crash/incidents.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { takeDroppedFile } from '../dropped-files.tsx';
import styles from './elf-drop.module.css';
import { usePastedCrash } from './use-pasted-crash.ts';

export function ElfDrop() {
  const { takeLog } = use(TerminalSlotsContext);
  useCodeRanges();
  usePastedCrash();
  const over = useFileDrop({
    take: ({ files }) => {
      for (const file of files) {
        void (takeLog ?? takeDroppedFile)(file);
      }
    },
  });
  return over ? (
    <div className={styles['over']}>
      <p>
        Drop the ELF file of the firmware or a core dump: addresses of crashes become functions, files and lines.{' '}
        {takeLog === null
          ? 'A log can be opened, a text sent, a JKit loaded: you are asked first.'
          : 'A log opens beside the others.'}
      </p>
    </div>
  ) : null;
}
