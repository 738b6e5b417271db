/**
 * Opens a log in a tab of its own, so that ports stay open in this one. The file itself goes to the other tab when that tab
 * asks for it (`given-logs.ts`); nothing is copied.
 */
import { logPage } from '@wirebench/contract/constants';
import { toast } from '../../shared/ui/toast.ts';

/** Message with which the new tab asks for its file. */
export const wantsLog = 'wirebench wants its log';

export interface LogMessage {
  readonly log: { readonly file: Blob; readonly name: string; readonly lastModified: number };
}

/**
 * Opens a log in a new tab. Call it from a click or a key, else the browser may refuse the tab.
 *
 * @param name Shown as the name of the log.
 */
export function openLog(file: Blob, name: string): void {
  const tab = window.open(logPage, '_blank');
  if (tab === null) {
    toast('The browser has blocked the new tab.', {
      level: 'error',
      detail: 'Allow this site to open tabs, then try again.',
    });
    return;
  }
  const lastModified = file instanceof File ? file.lastModified : Date.now();
  const message: LogMessage = { log: { file, name, lastModified } };
  const give = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === tab && origin === location.origin && data === wantsLog) {
      window.removeEventListener('message', give);
      tab.postMessage(message, location.origin);
    }
  };
  window.addEventListener('message', give);
}
