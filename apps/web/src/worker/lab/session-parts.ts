/** Dependencies of everything that belongs to one board. */
import type { Clock } from '@wirebench/clock';
import type { BusLog } from './bus-log.ts';

export interface SessionParts {
  readonly clock: Clock;
  readonly log: BusLog;
  readonly onChange: () => void;
}
