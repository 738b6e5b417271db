/** A shared port as a guest knows it. */
import type { SharedPortFields } from '../frames/messages.ts';

export interface GuestPort extends SharedPortFields {
  /** The host says that the board is simulated; false also where the host is of a version that does not say. */
  readonly isSimulated: boolean;
}
