/** What the instruments of one board work with. */
import type { Clock } from '@wirebench/clock';
import type { Lab } from '@wirebench/lab';
import type { OwnedPin } from '../lab-protocol.ts';
import type { BusLog } from './bus-log.ts';
import type { PinOwners } from './pin-owners.ts';

export interface SessionParts {
  readonly clock: Clock;
  readonly log: BusLog;
  readonly onChange: () => void;
}

/** What an instrument of a session works with. */
export interface InstrumentParts extends SessionParts {
  readonly lab: Lab;
  readonly owners: PinOwners;
  /** Takes pins for a bus. @throws LabError `refused` when another instrument has one of them. */
  readonly claim: (pins: readonly OwnedPin[]) => void;
  /** Reads how these pins are set now. */
  readonly look: (gpios: readonly number[]) => Promise<void>;
  /** Lets go of the pins of a bus. */
  readonly release: (gpios: readonly number[]) => Promise<void>;
}
