/** What of a chip's description can be searched for besides its JKit's name: the part, its maker, its category, its addresses. */
import { checkChip } from '@wirebench/contract/chips';

/** Addresses as `0x76` and `76`. None for content that describes no chip, which only a database by another hand can hold. */
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
