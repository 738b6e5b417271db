/** Parses the offsets that a user types. */
import { readTypedOffset } from '@wirebench/contract/constants';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { AddressRule } from '../page-family.ts';

export interface FileOffset {
  readonly text: string;
  /** Null while the text is not an address that can be written to. */
  readonly offset: number | null;
  /** Fault of the text, as a sentence; null if it is valid. */
  readonly fault: string | null;
}

/** @param typed Text in the field; undefined if the user has not typed. */
export function fileOffset(
  file: Pick<FileFacts, 'offset' | 'why'>,
  typed: string | undefined,
  { word, multipleOf, example }: AddressRule,
): FileOffset {
  const text = typed ?? (file.offset === null ? '' : addressText(file.offset));
  if (text.trim() === '') {
    return { text, offset: null, fault: typed === undefined ? `${file.why} Enter its ${word}.` : `Enter an ${word}.` };
  }
  const read = readTypedOffset(text);
  if (read.fault !== null) {
    const remedy = read.suggestion === null ? `Enter an address such as ${example}.` : `Use ${read.suggestion}.`;
    return { text, offset: null, fault: read.fault === 'no-prefix' ? `The 0x prefix is missing. ${remedy}` : remedy };
  }
  const { offset } = read;
  if (offset % multipleOf !== 0) {
    return { text, offset: null, fault: `Must be a multiple of ${addressText(multipleOf)}.` };
  }
  return { text, offset, fault: null };
}

/** Names an address: `0x1000`, or `EEPROM 0x10` for one in the memory beside the flash. */
export function placeText(address: number, { beside }: AddressRule): string {
  return beside === undefined || address < beside.start
    ? addressText(address)
    : `${beside.name} ${addressText(address - beside.start)}`;
}
