/** Resolves the addresses of an incident with the open files, and again after each change of the files. */
import type { PanicAddress } from '@wirebench/symbols';
import { useEffect, useState } from 'react';
import type { DecodeAnswer } from '../../../protocol/symbol-protocol.ts';
import { decode } from '../symbol-files.ts';

const nothing: DecodeAnswer = { places: [], matches: {} };

/**
 * @param addresses Must stay the same array while its contents are unchanged.
 * @param files Ids of the open files. Must stay the same array while its contents are unchanged.
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
    // If the worker failed, the list of files shows its error. Addresses stay unresolved.
    ask().catch((error: unknown) => console.warn('The addresses were not decoded.', error));
    return () => {
      wanted = false;
    };
  }, [addresses, files, build]);
  return decoded.of === addresses ? decoded.answer : nothing;
}
