/** Queries of the demo release, which belongs to nobody: no subject is empty, so no caller is ever its owner. */
import { demoReleaseId, nameKey } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { releaseBytes, settleClaims } from './bytes.repository.ts';
import { consoleRow } from './releases.repository.ts';
import { addFiles, type NewFileRow } from './versions.repository.ts';

export interface DemoRow {
  readonly name: string;
  readonly publisher: string;
  readonly projectDescription: string;
  readonly version: string;
  readonly versionDescription: string;
  /** In the order of their addresses. */
  readonly files: readonly NewFileRow[];
  readonly baudRate: number;
  readonly at: string;
  /** Of the upload that has claimed the files' bytes. */
  readonly uploadId: string;
}

const NOBODY = '';
const PROJECT_ID = '01939c00-0000-7000-8000-00000000de50';
const VERSION_ID = '01939c00-0000-7000-8000-00000000de51';

export type DemoRepository = ReturnType<typeof demoRepository>;

export function demoRepository(queries: Queries) {
  return {
    /** SHA-256 of the demo's files in the order of their addresses; none when there is no demo. */
    async read(): Promise<string[]> {
      const files = await queries
        .selectFrom('firmware_files')
        .select('sha256')
        .where('version_id', '=', VERSION_ID)
        .orderBy('flash_offset')
        .execute();
      return files.map(({ sha256 }) => sha256);
    },

    /** Puts this one in the place of an earlier one. False when the upload's claims are gone. */
    replace: (row: DemoRow): Promise<boolean> =>
      inTransaction(
        queries,
        async (transaction) => {
          const hashes = row.files.map(({ sha256 }) => sha256);
          if (!(await settleClaims(transaction, row.uploadId, hashes))) {
            return false;
          }
          const bytes = await transaction
            .selectFrom('firmware_files')
            .select('sha256')
            .where('version_id', '=', VERSION_ID)
            .execute();
          const earlier = await transaction
            .deleteFrom('firmware_projects')
            .where('id', '=', PROJECT_ID)
            .returning('revision')
            .executeTakeFirst();
          await insert(transaction, row, (earlier?.revision ?? 0) + 1);
          await releaseBytes(
            transaction,
            bytes.map(({ sha256 }) => sha256),
          );
          return true;
        },
        { lock: 'firmware demo' },
      ),
  };
}

async function insert(transaction: Queries, row: DemoRow, revision: number): Promise<void> {
  await transaction
    .insertInto('firmware_projects')
    .values({
      id: PROJECT_ID,
      subject: NOBODY,
      publisher: row.publisher,
      name: row.name,
      name_key: nameKey(row.name),
      description: row.projectDescription,
      device_family: 'esp',
      device_model: 'esp32',
      is_public: 1,
      is_demo: 1,
      share_id: demoReleaseId,
      revision,
      created_at: row.at,
      updated_at: row.at,
    })
    .execute();
  await transaction
    .insertInto('firmware_versions')
    .values({
      id: VERSION_ID,
      project_id: PROJECT_ID,
      version: row.version,
      version_key: nameKey(row.version),
      description: row.versionDescription,
      is_public: 1,
      share_id: demoReleaseId,
      ...consoleRow({ baudRate: row.baudRate, lineEnding: 'crlf', jkitId: null }),
      created_at: row.at,
    })
    .execute();
  await addFiles(transaction, VERSION_ID, row.files);
}
