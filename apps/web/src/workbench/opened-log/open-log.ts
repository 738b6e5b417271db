/**
 * Opens logs in a tab of their own, so that ports stay open in this one. The files go to the other tab when that tab asks
 * for them (`given-logs.ts`); nothing is copied.
 */
import { logPage } from '@wirebench/contract/constants';
import { toast } from '../../shared/ui/toast.ts';
import type { GivenLog } from './log-line.ts';

/** Message with which the new tab asks for its files. */
export const wantsLog = 'wirebench wants its log';

export interface LogMessage {
  readonly logs: readonly GivenLog[];
}

/** Opens a file in a new tab. Call it from a click or a key, else the browser may refuse the tab. */
export function openLog(file: File): void {
  openLogs(Promise.resolve([{ file, name: file.name, lastModified: file.lastModified }]));
}

/**
 * Opens logs in a new tab. Call it from a click or a key, else the browser may refuse the tab.
 *
 * @param logs Files that may still have to be found. If it rejects, the tab is closed and the reason is shown.
 */
export function openLogs(logs: Promise<readonly GivenLog[]>): void {
  const tab = window.open(logPage, '_blank');
  if (tab === null) {
    toast('The browser has blocked the new tab.', {
      level: 'error',
      detail: 'Allow this site to open tabs, then try again.',
    });
    return;
  }
  const give = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === tab && origin === location.origin && data === wantsLog) {
      window.removeEventListener('message', give);
      logs.then(
        (all) => tab.postMessage({ logs: all } satisfies LogMessage, location.origin),
        () => undefined,
      );
    }
  };
  window.addEventListener('message', give);
  logs.catch((error: unknown) => {
    window.removeEventListener('message', give);
    tab.close();
    const detail = error instanceof Error ? error.message : String(error);
    toast('The log could not be opened.', { level: 'error', detail });
  });
}
