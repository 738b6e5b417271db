/** Words for the certainty of an identification. They accompany each mark. */
import type { Certainty, Offer } from './device-store.ts';

const words = {
  address: 'By address only',
  likely: 'Likely',
  register: 'Identified by',
} satisfies Record<Certainty, string>;

export function certaintyText({ certainty, evidence }: Pick<Offer, 'certainty' | 'evidence'>): string {
  switch (certainty) {
    case 'address':
      return words.address;
    case 'likely':
      return `${words.likely}: ${evidence}`;
    case 'register':
      return `${words.register} ${evidence}`;
  }
}

/** Returns the name of a device. A guess gets a question mark. */
export function nameOf(offer: Offer | undefined): string {
  if (offer === undefined) {
    return 'Unknown';
  }
  const { name } = offer.chip.content;
  return offer.certainty === 'address' ? `${name}?` : name;
}
