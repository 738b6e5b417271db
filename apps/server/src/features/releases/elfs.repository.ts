/** Queries of the ELF files of versions. Only their owner may see the results. */
import type { FoundElf } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import type { StoredFile } from './shared-item.ts';

export type ElfRepository = ReturnType<typeof elfRepository>;

export function elfRepository(queries: Queries) {
  const ownElfs = (subject: string) =>
    queries
      .selectFrom('firmware_projects as p')
      .innerJoin('firmware_versions as v', 'v.project_id', 'p.id')
      .innerJoin('firmware_elfs as e', 'e.version_id', 'v.id')
      .where('p.subject', '=', subject)
      .where('p.is_demo', '=', 0);

  return {
    /**
     * Returns null if `subject` owns no such version, or it has no ELF file.
     *
     * @param buildId Build of the version; null for the file of the version itself.
     */
    ofVersion: async (versionId: string, buildId: string | null, subject: string): Promise<StoredFile | null> =>
      (await ownElfs(subject)
        .innerJoin('firmware_blobs as b', 'b.sha256', 'e.sha256')
        .select(['e.file_name as fileName', 'e.size', 'e.sha256', 'b.blob_key as key'])
        .where('v.id', '=', versionId)
        .where('e.build_id', '=', buildId ?? '')
        .executeTakeFirst()) ?? null,

    /** @param prefix Lower-case hex digits, which contain no wildcards. */
    async byHash(prefix: string, subject: string): Promise<FoundElf['elf']> {
      const found = await ownElfs(subject)
        .select(['v.id as versionId', 'e.build_id as buildId', 'p.name as project', 'v.version'])
        .select(['e.file_name as fileName', 'e.size', 'e.sha256'])
        .where('e.sha256', 'like', `${prefix}%`)
        .orderBy('v.created_at', 'desc')
        .orderBy('v.id', 'desc')
        .orderBy('e.build_id')
        .executeTakeFirst();
      if (found === undefined) {
        return null;
      }
      const { buildId, ...elf } = found;
      return { ...elf, ...(buildId === '' ? {} : { buildId }) };
    },
  };
}
