/** Dependencies of the instruments of one board. */
import type { Lab } from '@wirebench/lab';
import type { OwnedPin } from '../../protocol/lab-protocol.ts';
import type { LabProbe } from './lab-probe.ts';
import type { PinOwners } from './pin-owners.ts';
import type { SessionParts } from './session-parts.ts';

/** Dependencies of one instrument of a session. */
export interface InstrumentParts extends SessionParts {
  readonly lab: Lab;
  /** Uses the program in RAM if it runs, else the boot ROM. */
  readonly probe: LabProbe;
  readonly owners: PinOwners;
  /**
   * Takes pins for a bus.
   * @throws LabError `refused` if another instrument has one of them.
   */
  readonly claim: (pins: readonly OwnedPin[]) => void;
  /** Reads the present setting of these pins. */
  readonly look: (gpios: readonly number[]) => Promise<void>;
  /** Releases the pins of a bus. */
  readonly release: (gpios: readonly number[]) => Promise<void>;
}
