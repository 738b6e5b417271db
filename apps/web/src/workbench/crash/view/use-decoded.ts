/** Resolves the addresses of an incident with the open files, and again after each change of the files. */
import type { DecodeAnswer, PanicAddress } from '@wirebench/symbols';
import { useAsync } from '../../../shared/ui/use-async.ts';
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
  const decoded = useAsync(
    [addresses, files, build],
    async () => ({
      of: addresses,
      answer: files.length === 0 ? nothing : await decode({ files, addresses, build }),
    }),
    // If the worker failed, the list of files shows its error. Addresses stay unresolved.
    (error) => console.warn('The addresses were not decoded.', error),
  );
  return decoded?.of === addresses ? decoded.answer : nothing;
}
