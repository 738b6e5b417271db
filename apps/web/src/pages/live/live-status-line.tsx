import { portNumbers } from '@wirebench/serial';
import { useStatusKeys } from '../../features/terminal/status-line.tsx';
import { lines, rate } from '../../workbench/amounts.ts';
import { useBenchStatus } from '../../workbench/bench-status.ts';
import { useLive } from '../../workbench/live/live-store.ts';
import { standingText } from '../../workbench/live/live-words.ts';
import { StatusLine } from '../../workbench/status-line.tsx';

/** The shared bench in one line, and the keys that act on the log. */
export function LiveStatusLine() {
  const standing = useLive(({ tick }) => (tick === null ? 'Not connected' : standingText(tick)));
  const live = useLive(({ tick }) => tick?.state === 'joined' && !tick.isHostAway);
  const roundTrip = useLive(({ tick }) => tick?.roundTrip ?? null);
  const received = useBenchStatus(({ rates }) => portNumbers.reduce((sum, port) => sum + rates[port].received.now, 0));
  const held = useBenchStatus(({ status }) => status.lines);
  const keys = useStatusKeys();
  return (
    <StatusLine
      tone={live ? 'success' : 'danger'}
      state={standing}
      figures={[
        { name: 'RX', value: rate(received) },
        { name: 'Round trip', value: roundTrip === null || !live ? '–' : `${Math.round(roundTrip)} ms` },
        { name: 'Buffer', value: lines(held) },
      ]}
      keys={keys}
    />
  );
}
