/**
 * Accepts files dropped anywhere on the terminal, and pasted text of a crash. A hint is shown while a
 * file is dragged over it.
 */
import { use, useEffect } from 'react';
import { rereadableFiles } from '../../../../shared/files/changed-files.ts';
import { useFileDrop } from '../../../../shared/files/use-file-drop.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { useCodeRanges } from '../../../../workbench/crash/incidents.ts';
import { addCrashText } from '../../../../workbench/crash/symbol-files.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { takeDroppedFile } from '../dropped-files.tsx';
import { openToolNow, showTool } from '../open-tool.ts';
import styles from './elf-drop.module.css';

/** Elements that handle a paste themselves. */
const fields = 'input, textarea, select, [contenteditable], [role="dialog"]';

async function take(text: string): Promise<void> {
  if (await addCrashText(text, 'pasted text')) {
    showTool('crashes');
  } else if (openToolNow() === 'crashes') {
    // Without an open crash panel, the paste may have been meant for something else, so no message is shown.
    toast('The pasted text holds no crash.', {
      level: 'error',
      detail:
        'Copy the lines from the first word of the crash to the restart, or from CORE DUMP START to CORE DUMP END.',
    });
  }
}

/** Accepts the text of a crash pasted anywhere on the terminal: a log from another program, or a core dump. */
function usePastedCrash(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.closest(fields) !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isInField && !event.defaultPrevented && text.trim() !== '') {
        event.preventDefault();
        void take(text);
      }
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}

export function ElfDrop() {
  const { takeLog } = use(TerminalSlotsContext);
  useCodeRanges();
  usePastedCrash();
  const over = useFileDrop({
    take: async (transfer) => {
      for (const dropped of await rereadableFiles(transfer)) {
        void (takeLog ?? takeDroppedFile)(dropped);
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
