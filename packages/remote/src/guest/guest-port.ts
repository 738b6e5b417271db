/** A shared port as a guest knows it. */
import type { SharedPortFields } from '../frames/messages.ts';

export interface GuestPort extends SharedPortFields {
  /** True: the host says that the board is simulated. False also for hosts of older versions, which do not say. */
  readonly isSimulated: boolean;
}
