/** Accepts the text of a crash pasted anywhere on the terminal: a log from another program, or a core dump. */
import { useEffect } from 'react';
import { toast } from '../../../../shared/ui/toast.ts';
import { addCrashText } from '../../../../workbench/crash/symbol-files.ts';
import { openToolNow, showTool } from '../open-tool.ts';

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

export function usePastedCrash(): void {
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
