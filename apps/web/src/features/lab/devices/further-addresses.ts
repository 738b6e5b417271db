/** Parts that answer at a second address: what is found there may be a part that was found elsewhere. */
import type { Offer } from './device-store.ts';

interface FurtherAddress {
  /** Name of the part in its JKit. */
  readonly part: string;
  readonly address: number;
  /** What the second address is called. */
  readonly name: string;
}

/** After a reset the PCA9685 answers at 0x70 (NXP PCA9685, revision 4, 7.3.6 ALLCALLADR: E0h, and MODE1 bit ALLCALL: 1). */
const furtherAddresses: readonly FurtherAddress[] = [{ part: 'PCA9685', address: 0x70, name: 'all-call address' }];

export interface SharedAddress extends FurtherAddress {
  /** Addresses on the bus at which the part may stand. */
  readonly owners: readonly number[];
}

/**
 * Finds a part elsewhere on the bus that may answer at `address` as well.
 *
 * @param offers JKits that fit, by address.
 * @returns Null where no such part can be on the bus.
 */
export function sharedAddressAt(address: number, offers: ReadonlyMap<number, readonly Offer[]>): SharedAddress | null {
  for (const further of furtherAddresses) {
    const owners = [...offers].flatMap(([owner, fitting]) =>
      owner !== address && fitting.some(({ chip }) => chip.content.name === further.part) ? [owner] : [],
    );
    if (further.address === address && owners.length > 0) {
      return { ...further, owners };
    }
  }
  return null;
}
