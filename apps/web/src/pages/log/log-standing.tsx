import { Led } from '../../shared/ui/led.tsx';
import { useLogs } from '../../workbench/opened-log/log-store.ts';

/** Start of the line below the log: the number of opened logs, and their order. */
export function LogStanding() {
  const count = useLogs(({ logs }) => logs.length);
  const isMerged = useLogs((tick) => tick.isMerged);
  return (
    <>
      <Led tone="off" />
      <span>{count === 1 ? 'Opened log' : `${count} logs, ${isMerged ? 'by their times' : 'side by side'}`}</span>
    </>
  );
}
