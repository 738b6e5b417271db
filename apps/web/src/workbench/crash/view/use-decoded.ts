/** Resolves the addresses of an incident with the open files, again after each change of them. */
import type { PanicAddress } from '@wirebench/symbols';
import { useEffect, useState } from 'react';
import type { DecodeAnswer } from '../../../protocol/symbol-protocol.ts';
import { decode } from '../symbol-files.ts';

const nothing: DecodeAnswer = { places: [], matches: {} };

/**
 * @param addresses the same array as long as they are the same.
 * @param files ids of the open files, the same array as long as they are the same.
 */
export function useDecoded(
  addresses: readonly PanicAddress[],
  files: readonly number[],
  build: string | null,
): DecodeAnswer {
  const [decoded, setDecoded] = useState<{ readonly of: readonly PanicAddress[]; readonly answer: DecodeAnswer }>({
    of: addresses,
    answer: nothing,
  });
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      const answer = files.length === 0 ? nothing : await decode({ files, addresses, build });
      if (wanted) {
        setDecoded({ of: addresses, answer });
      }
    };
    // Without the thread that decodes, addresses stay what they are; the list of files says what happened to it.
    ask().catch((error: unknown) => console.warn('The addresses were not decoded.', error));
    return () => {
      wanted = false;
    };
  }, [addresses, files, build]);
  return decoded.of === addresses ? decoded.answer : nothing;
}
