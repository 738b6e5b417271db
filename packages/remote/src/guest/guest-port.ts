/** A shared port as known to a guest. */
import type { SharedPortFields } from '../frames/messages.ts';

export interface GuestPort extends SharedPortFields {
  /**
   * True: the host reports that the board is simulated. Always false for hosts of older versions, which do not report
   * it.
   */
  readonly isSimulated: boolean;
}
