/** Bytes received by each port in the last minute. Counting starts with the first tick, even if no lane is visible. */
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

/** Returns the bytes in each bin of the last minute, oldest first. */
export function activityOf(port: PortNumber, now: number): Float64Array {
  return bins[port].read(now);
}
