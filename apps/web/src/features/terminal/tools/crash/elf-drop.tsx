/**
 * Accepts ELF files, core dumps and logs dropped anywhere on the terminal, and pasted text. A hint is shown while a
 * file is dragged over it.
 */
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { useCodeRanges } from '../../../../workbench/crash/incidents.ts';
import { addCrashFile } from '../../../../workbench/crash/symbol-files.ts';
import { showTool } from '../open-tool.ts';
import styles from './elf-drop.module.css';
import { usePastedCrash } from './use-pasted-crash.ts';

export function ElfDrop() {
  useCodeRanges();
  usePastedCrash();
  const over = useFileDrop({
    take: ({ files }) => {
      for (const file of files) {
        void addCrashFile(file);
      }
      showTool('crashes');
    },
  });
  return over ? (
    <div className={styles['over']}>
      <p>Drop the ELF file of the firmware or a core dump: addresses of crashes become functions, files and lines.</p>
    </div>
  ) : null;
}
