/** Asks the server for the ELF file of a build among one's own releases, and opens it. */
import { FoundElf, firmwarePaths, shortestBuild } from '@wirebench/contract';
import { api } from '../../../../shared/api/api.ts';
import { ApiError, errorMessage } from '../../../../shared/api/api-error.ts';
import { addSymbolFile } from '../../../../workbench/crash/symbol-files.ts';

export type OwnElf =
  | { readonly state: 'none' }
  | { readonly state: 'fetching' /** `Blinker 1.2.0` */; readonly release: string }
  | { readonly state: 'failed'; readonly reason: string };

/** The session may have ended; a version may be deleted while its file is fetched. */
const unknown: readonly number[] = [401, 404];

/**
 * Fetches the file when one of the user's versions has it, as few crashes do. Never rejects for what the server says.
 *
 * @param build First digits of the hash; too few are not asked for.
 * @param set Called with what becomes of it.
 */
export async function fetchOwnElf(build: string, set: (state: OwnElf) => void): Promise<void> {
  if (build.length < shortestBuild) {
    return;
  }
  try {
    const client = await api();
    const { elf } = await client.request(firmwarePaths.elf, FoundElf, { query: { sha256: build } });
    if (elf === null) {
      return;
    }
    const release = `${elf.project} ${elf.version}`;
    set({ state: 'fetching', release });
    const bytes = await (await client.send(firmwarePaths.versionElf(elf.versionId))).blob();
    await addSymbolFile(new File([bytes], `ELF of ${release}, from your releases`));
    set({ state: 'none' });
  } catch (error) {
    const isUnknown = error instanceof ApiError && unknown.includes(error.status);
    set(isUnknown ? { state: 'none' } : { state: 'failed', reason: errorMessage(error) });
  }
}
