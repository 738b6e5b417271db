/** Asks the tab that opened this one for the logs that this one shows. */
import { addLog } from './log-line.ts';
import { type LogMessage, wantsLog } from './open-log.ts';

/** True: the files were given. A reload asks again, and the other tab gives them once. */
let isGiven = false;

/** @returns Function that stops waiting. */
export function takeGivenLog(): () => void {
  const take = ({ source, origin, data }: MessageEvent<Partial<LogMessage> | null>) => {
    const logs = data?.logs;
    if (source === window.opener && origin === location.origin && logs !== undefined && !isGiven) {
      isGiven = true;
      for (const log of logs) {
        void addLog(log);
      }
    }
  };
  window.addEventListener('message', take);
  const opener: Window | null = window.opener;
  opener?.postMessage(wantsLog, location.origin);
  return () => window.removeEventListener('message', take);
}
