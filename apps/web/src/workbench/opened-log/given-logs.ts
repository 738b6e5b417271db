/** Asks the tab that opened this one for the log that this one shows. */
import { addLog } from './log-line.ts';
import { type LogMessage, wantsLog } from './open-log.ts';

/** True: the file was given. A reload asks again, and the other tab gives it once. */
let isGiven = false;

/** @returns Function that stops waiting. */
export function takeGivenLog(): () => void {
  const take = ({ source, origin, data }: MessageEvent<Partial<LogMessage> | null>) => {
    const log = data?.log;
    if (source === window.opener && origin === location.origin && log?.file instanceof Blob && !isGiven) {
      isGiven = true;
      void addLog(log);
    }
  };
  window.addEventListener('message', take);
  const opener: Window | null = window.opener;
  opener?.postMessage(wantsLog, location.origin);
  return () => window.removeEventListener('message', take);
}
