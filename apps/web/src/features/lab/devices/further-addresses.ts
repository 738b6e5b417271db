/**
 * Parts that answer at a second address. A device found at such an address may be a part that was found at another
 * one.
 */
import type { Offer } from './device-store.ts';

interface FurtherAddress {
  /** Name of the part in its JKit. */
  readonly part: string;
  readonly address: number;
  /** Name of the second address. */
  readonly name: string;
}

/** After a reset the PCA9685 answers at 0x70 (NXP PCA9685, revision 4, 7.3.6 ALLCALLADR: E0h, and MODE1 bit ALLCALL: 1). */
const furtherAddresses: readonly FurtherAddress[] = [{ part: 'PCA9685', address: 0x70, name: 'all-call address' }];

export interface SharedAddress extends FurtherAddress {
  /** Other addresses on the bus at which the part was found. */
  readonly owners: readonly number[];
}

/**
 * Finds a part elsewhere on the bus that may answer at `address` as well.
 *
 * @param offers JKits that fit, by address.
 * @returns Null if no such part can be on the bus.
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
