/**
 * Fingerprints that distinguish the crashes of a session, from the functions that the open ELF files know. Recomputed
 * after each change of the files.
 */

import { useAsync } from '../../../shared/ui/use-async.ts';
import { fingerprintOf, type ListedDump, useOpenFiles } from '../symbol-files.ts';

/** By id of the dump. */
export type Fingerprints = ReadonlyMap<number, string>;

/** Title of a dump in a list: its functions, or its origin. */
export const dumpTitle = ({ id, name }: ListedDump, fingerprints: Fingerprints): string =>
  fingerprints.get(id) ?? `Core dump ${name}`;

const none: Fingerprints = new Map();

export function useFingerprints(dumps: readonly ListedDump[]): Fingerprints {
  const files = useOpenFiles();
  const open = dumps.flatMap(({ id, state }) => (state.kind === 'open' ? [id] : []));
  const asked = `${files.join()} ${open.join()}`;
  const found = useAsync(
    [asked],
    async () => {
      const [fileIds = [], dumpIds = []] = asked.split(' ').map((ids) => ids.split(',').filter(Boolean).map(Number));
      const fingerprints = new Map<number, string>();
      for (const dump of fileIds.length === 0 ? [] : dumpIds) {
        const fingerprint = await fingerprintOf({ dump, files: fileIds });
        if (fingerprint !== null) {
          fingerprints.set(dump, fingerprint);
        }
      }
      return { of: asked, fingerprints };
    },
    // If the worker failed, the list of dumps shows its error.
    (error) => console.warn('The crashes were not compared.', error),
  );
  return found?.of === asked ? found.fingerprints : none;
}
