/** Queries of the releases that come with the product. Their subject is empty, so no caller is ever their owner. */
import type { DeviceModel } from '@wirebench/boards';
import { nameKey } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { fold } from '../jkits/search-text.ts';
import { releaseBytes, settleClaims } from './bytes.repository.ts';
import { consoleRow } from './releases.repository.ts';
import { addFiles, type NewFileRow } from './versions.repository.ts';

/** A release of one project and one version, with the same ids on every server. */
export interface ProductReleaseIds {
  readonly projectId: string;
  readonly versionId: string;
  /** Share id of both the project and its version. */
  readonly shareId: string;
}

export interface ProductReleaseRow extends ProductReleaseIds {
  readonly name: string;
  readonly publisher: string;
  readonly projectDescription: string;
  readonly deviceModel: DeviceModel;
  /** True: flashers write it to demo devices only. */
  readonly isDemo: boolean;
  readonly version: string;
  readonly versionDescription: string;
  /** Ordered by address. */
  readonly files: readonly NewFileRow[];
  readonly baudRate: number;
  readonly at: string;
  /** The upload that has claimed the files' bytes. */
  readonly uploadId: string;
}

export interface StoredRelease {
  readonly version: string;
  /** SHA-256 of each file, ordered by address. */
  readonly hashes: readonly string[];
}

export type ProductReleaseRepository = ReturnType<typeof productReleaseRepository>;

const NOBODY = '';

export function productReleaseRepository(queries: Queries) {
  return {
    /** Returns null if the release is not stored. */
    read: ({ versionId }: ProductReleaseIds): Promise<StoredRelease | null> => readStored(queries, versionId),

    /**
     * Replaces an earlier release, unless `isWanted` rejects the stored one. Links and an operator's take-down are
     * kept. Returns false if the upload's claims are gone.
     */
    replace: (row: ProductReleaseRow, isWanted: (stored: StoredRelease | null) => boolean): Promise<boolean> =>
      inTransaction(
        queries,
        async (transaction) => {
          const hashes = row.files.map(({ sha256 }) => sha256);
          if (!(await settleClaims(transaction, row.uploadId, hashes))) {
            return false;
          }
          const stored = await readStored(transaction, row.versionId);
          if (isWanted(stored)) {
            await put(transaction, row, stored !== null);
          }
          await releaseBytes(transaction, [...hashes, ...(stored?.hashes ?? [])]);
          return true;
        },
        { lock: 'firmware product releases' },
      ),
  };
}

async function readStored(queries: Queries, versionId: string): Promise<StoredRelease | null> {
  const version = await queries
    .selectFrom('firmware_versions')
    .select('version')
    .where('id', '=', versionId)
    .executeTakeFirst();
  if (version === undefined) {
    return null;
  }
  const files = await queries
    .selectFrom('firmware_files')
    .select('sha256')
    .where('version_id', '=', versionId)
    .orderBy('flash_offset')
    .execute();
  return { version: version.version, hashes: files.map(({ sha256 }) => sha256) };
}

async function put(transaction: Queries, row: ProductReleaseRow, isThere: boolean): Promise<void> {
  const project = {
    name: row.name,
    name_key: nameKey(row.name),
    search_key: fold(row.name),
    description: row.projectDescription,
    device_model: row.deviceModel,
    created_at: row.at,
    updated_at: row.at,
  };
  const version = {
    version: row.version,
    version_key: nameKey(row.version),
    description: row.versionDescription,
    ...consoleRow({ baudRate: row.baudRate, lineEnding: 'crlf', jkitId: null }),
    created_at: row.at,
  };
  const { projectId, versionId, shareId } = row;
  if (isThere) {
    await transaction
      .updateTable('firmware_projects')
      .set(({ eb }) => ({ ...project, revision: eb('revision', '+', 1) }))
      .where('id', '=', projectId)
      .execute();
    await transaction.updateTable('firmware_versions').set(version).where('id', '=', versionId).execute();
    await transaction.deleteFrom('firmware_files').where('version_id', '=', versionId).execute();
    await transaction.deleteFrom('firmware_flashes').where('version_id', '=', versionId).execute();
  } else {
    const shared = { is_public: 1, share_id: shareId };
    const owner = { subject: NOBODY, publisher: row.publisher, device_family: 'esp', is_demo: row.isDemo ? 1 : 0 };
    await transaction
      .insertInto('firmware_projects')
      .values({ id: projectId, ...owner, ...project, ...shared, revision: 1 })
      .execute();
    await transaction
      .insertInto('firmware_versions')
      .values({ id: versionId, project_id: projectId, ...version, ...shared })
      .execute();
  }
  await addFiles(transaction, versionId, row.files);
}
