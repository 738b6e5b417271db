/** Queries of the hashes that are pinned for the versions that a project has taken from manifests. */
import { nameKey } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';

/** A file of a pulled version. */
export interface PulledFile {
  /** Build and flash address, by which the file is found again whatever its address on the web is. */
  readonly place: string;
  readonly fileName: string;
  readonly sha256: string;
}

/** Versions of a project whose hashes are kept, the newest ones. */
const MAX_VERSIONS = 50;

export type PulledFileRepository = ReturnType<typeof pulledFileRepository>;

export function pulledFileRepository(queries: Queries) {
  return {
    /** Returns the pinned files of a version; empty for a version that was never pulled. */
    ofVersion: (projectId: string, version: string): Promise<PulledFile[]> =>
      queries
        .selectFrom('firmware_pulled_files')
        .select(['place', 'file_name as fileName', 'sha256'])
        .where('project_id', '=', projectId)
        .where('version_key', '=', nameKey(version))
        .execute(),

    /**
     * Pins the files of a version that has no pins yet, and forgets those of the oldest versions.
     *
     * @param at ISO 8601, UTC.
     */
    async pin(projectId: string, version: string, files: readonly PulledFile[], at: string): Promise<void> {
      await queries
        .insertInto('firmware_pulled_files')
        .values(
          files.map(({ place, fileName, sha256 }) => ({
            project_id: projectId,
            version_key: nameKey(version),
            place,
            file_name: fileName,
            sha256,
            pulled_at: at,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const kept = await queries
        .selectFrom('firmware_pulled_files')
        .select('version_key')
        .where('project_id', '=', projectId)
        .groupBy('version_key')
        .orderBy((eb) => eb.fn.max('pulled_at'), 'desc')
        .limit(MAX_VERSIONS)
        .execute();
      await queries
        .deleteFrom('firmware_pulled_files')
        .where('project_id', '=', projectId)
        .where(
          'version_key',
          'not in',
          kept.map(({ version_key }) => version_key),
        )
        .execute();
    },
  };
}
