/** Fetches the ELF file of a build from the user's own releases and opens it. */
import { FoundElf, firmwarePaths, shortestBuild } from '@wirebench/contract';
import { api } from '../../../../shared/api/api.ts';
import { ApiError, errorMessage } from '../../../../shared/api/api-error.ts';
import { addSymbolFile } from '../../../../workbench/crash/symbol-files.ts';

export type OwnElf =
  | { readonly state: 'none' }
  | { readonly state: 'fetching' /** Project and version: `Blinker 1.2.0`. */; readonly release: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Status codes that count as not found: the session ended, or the version was deleted during the download. */
const unknown: readonly number[] = [401, 404];

/**
 * Fetches the ELF file if one of the user's versions has it, which is true for few crashes. Failures are passed to
 * `set`.
 *
 * @param build First hexadecimal digits of the SHA-256. Fewer than `shortestBuild` digits are not searched.
 * @param set Receives each change of the state.
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
    const bytes = await (await client.send(firmwarePaths.versionElf(elf.versionId, elf.buildId))).blob();
    await addSymbolFile(new File([bytes], `ELF of ${release}, from your releases`));
    set({ state: 'none' });
  } catch (error) {
    const isUnknown = error instanceof ApiError && unknown.includes(error.status);
    set(isUnknown ? { state: 'none' } : { state: 'failed', reason: errorMessage(error) });
  }
}
