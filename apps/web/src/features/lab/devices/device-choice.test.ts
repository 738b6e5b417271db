import { describe, expect, it } from 'vitest';
import { sharedAddressAt } from './device-choice.tsx';
import type { Offer } from './device-store.ts';
import { shippedAt } from './identify.ts';

const offersAt = (...addresses: readonly number[]): ReadonlyMap<number, readonly Offer[]> =>
  new Map(
    addresses.map((address) => [
      address,
      shippedAt(address).map((chip) => ({ chip, certainty: 'address' as const, evidence: '' })),
    ]),
  );

describe('an address at which a part elsewhere answers as well', () => {
  it('is named beside the part that may own it', () => {
    expect(sharedAddressAt(0x70, offersAt(0x40, 0x70))).toMatchObject({ part: 'PCA9685', owners: [0x40] });
  });

  it('is not named without such a part, nor for other addresses', () => {
    expect(sharedAddressAt(0x70, offersAt(0x70, 0x76))).toBeNull();
    expect(sharedAddressAt(0x71, offersAt(0x40, 0x71))).toBeNull();
    expect(sharedAddressAt(0x40, offersAt(0x40))).toBeNull();
  });
});
