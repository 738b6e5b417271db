/**
 * Words of a chip's description by which it can be found, besides its JKit's name: part, maker, category, addresses.
 */
import { checkChip } from '@wirebench/contract/chips';

/**
 * Returns the words, addresses as `0x76` and `76`. Returns none for content that describes no chip, which only
 * another program could have stored.
 */
export function chipWordsOf(content: string): readonly string[] {
  const chip = checkChip(content).content;
  if (chip === null) {
    return [];
  }
  const addresses = chip.addresses.map((address) => address.toString(16).padStart(2, '0'));
  return [
    chip.name,
    chip.manufacturer ?? '',
    chip.category,
    chip.bus,
    ...addresses.flatMap((address) => [`0x${address}`, address]),
  ];
}
