/** What each port received in the last minute, counted from the first tick on, whether somebody looks or not. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { ActivityBins } from './activity-bins.ts';

const bins: Readonly<Record<PortNumber, ActivityBins>> = {
  1: new ActivityBins(),
  2: new ActivityBins(),
  3: new ActivityBins(),
  4: new ActivityBins(),
};

benchStatus.onTick(({ status }) => {
  const now = Date.now();
  for (const port of portNumbers) {
    bins[port].count(status.ports[port].received, now);
  }
});

/** Bytes in each stretch of the last minute, the oldest first. */
export function activityOf(port: PortNumber, now: number): Float64Array {
  return bins[port].read(now);
}
