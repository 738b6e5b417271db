import { portNumbers } from '@wirebench/serial';
import { useStatusKeys } from '../../features/terminal/status-line.tsx';
import { lines, rate } from '../../workbench/amounts.ts';
import { useBenchStatus } from '../../workbench/bench-status.ts';
import { useLive } from '../../workbench/live/live-store.ts';
import { StatusLine } from '../../workbench/status-line.tsx';

/** The shared bench in one line, and the keys that act on the log. */
export function LiveStatusLine() {
  const state = useLive(({ tick }) => tick?.state ?? 'joining');
  const ports = useLive(({ tick }) => tick?.ports.length ?? 0);
  const using = useLive(({ tick }) => tick?.using.length ?? 0);
  const roundTrip = useLive(({ tick }) => tick?.roundTrip ?? null);
  const received = useBenchStatus(({ rates }) => portNumbers.reduce((sum, port) => sum + rates[port].received.now, 0));
  const held = useBenchStatus(({ status }) => status.lines);
  const keys = useStatusKeys();
  const live = state === 'joined';
  return (
    <StatusLine
      tone={live ? 'success' : 'danger'}
      state={
        live
          ? `${ports} remote ${ports === 1 ? 'port' : 'ports'}, ${using > 0 ? 'using' : 'watching'}`
          : 'Not connected'
      }
      figures={[
        { name: 'RX', value: rate(received) },
        { name: 'Round trip', value: roundTrip === null ? '–' : `${Math.round(roundTrip)} ms` },
        { name: 'Buffer', value: lines(held) },
      ]}
      keys={keys}
    />
  );
}
