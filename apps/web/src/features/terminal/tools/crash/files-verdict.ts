/**
 * Checks if the open ELF files belong to the program that crashed. Shown before the names in them, which would be
 * wrong otherwise.
 */
import type { Incident } from '../../../../protocol/incident.ts';
import type { BuildMatch, DecodedPlace } from '../../../../protocol/symbol-protocol.ts';
import type { ListedFile } from '../../../../workbench/crash/symbol-files.ts';
import { machineOf } from '../../../../workbench/crash/view/crash-text.ts';

export type FilesVerdict = 'no-file' | 'this-build' | 'other-build' | 'build-unknown' | 'other-machine' | 'no-address';

export interface FilesFacts {
  readonly files: readonly ListedFile[];
  readonly matches: Readonly<Record<number, BuildMatch>>;
  readonly places: readonly (DecodedPlace | null)[];
  readonly incident: Incident;
}

/** Returns null while a file is being read and nothing is known. */
export function filesVerdict({ files, matches, places, incident }: FilesFacts): FilesVerdict | null {
  const open = files.flatMap(({ state }) => (state.kind === 'open' ? [state.facts] : []));
  if (open.length === 0) {
    return files.some(({ state }) => state.kind === 'reading') ? null : 'no-file';
  }
  const found = Object.values(matches);
  if (found.length === 0) {
    return null;
  }
  if (found.includes('same')) {
    return 'this-build';
  }
  const machine = machineOf(incident.chip);
  if (machine !== null && open.every((facts) => facts.machine !== machine)) {
    return 'other-machine';
  }
  if (!found.includes('unknown')) {
    return 'other-build';
  }
  return places.every((place) => place === null) ? 'no-address' : 'build-unknown';
}
