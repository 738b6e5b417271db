/** What the instruments of one board work with. */
import type { Lab } from '@wirebench/lab';
import type { OwnedPin } from '../lab-protocol.ts';
import type { LabProbe } from './lab-probe.ts';
import type { PinOwners } from './pin-owners.ts';
import type { SessionParts } from './session-parts.ts';

/** What an instrument of a session works with. */
export interface InstrumentParts extends SessionParts {
  readonly lab: Lab;
  /** The program in RAM, and the boot ROM where it does not run. */
  readonly probe: LabProbe;
  readonly owners: PinOwners;
  /** Takes pins for a bus. @throws LabError `refused` when another instrument has one of them. */
  readonly claim: (pins: readonly OwnedPin[]) => void;
  /** Reads how these pins are set now. */
  readonly look: (gpios: readonly number[]) => Promise<void>;
  /** Lets go of the pins of a bus. */
  readonly release: (gpios: readonly number[]) => Promise<void>;
}
