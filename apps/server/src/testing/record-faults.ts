/** Rules that all records together have to meet, whatever calls created them. Each violation is a sentence. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { blobPath } from '../storage/blobs/blob-store.ts';
import type { Queries } from '../storage/database/database.ts';

export interface Limits {
  readonly projects: number;
  readonly versions: number;
  readonly jkits: number;
}

/**
 * Returns the violations. No upload may be running.
 *
 * @param dataDir Folder with the file store.
 */
export async function findRecordFaults(queries: Queries, dataDir: string, limits: Limits): Promise<readonly string[]> {
  const rules: readonly (readonly [fault: string, rows: ReturnType<typeof sql>])[] = [
    [
      'a version without files',
      sql`select id from firmware_versions where id not in (select version_id from firmware_files)`,
    ],
    [
      'bytes that nothing needs',
      sql`select sha256 from firmware_blobs
        where sha256 not in (select sha256 from firmware_files union all select sha256 from firmware_elfs
          union all select sha256 from firmware_pictures)`,
    ],
    ['a claim that was not settled', sql`select upload_id from firmware_claims`],
    [
      'more projects than allowed',
      sql`select subject from firmware_projects where subject <> '' group by subject having count(*) > ${limits.projects}`,
    ],
    [
      'more versions than allowed',
      sql`select project_id from firmware_versions group by project_id having count(*) > ${limits.versions}`,
    ],
    [
      'more jkits than allowed',
      sql`select owner from jkits where owner is not null group by owner having count(*) > ${limits.jkits}`,
    ],
    [
      'a rating that is not the sum of its parts',
      sql`select id from jkits where
        rating_count <> (select count(*) from jkit_ratings where jkit = jkits.number) or
        rating_total <> (select coalesce(sum(stars), 0) from jkit_ratings where jkit = jkits.number)`,
    ],
    [
      'a private jkit that is found',
      sql`select id from jkits where shared = 0 and number in (select jkit from jkit_name_parts)`,
    ],
  ];
  const faults: string[] = [];
  for (const [fault, query] of rules) {
    const { rows } = await query.execute(queries);
    if (rows.length > 0) {
      faults.push(`${fault}: ${JSON.stringify(rows)}`);
    }
  }
  return [...faults, ...(await findWrongBytes(queries, dataDir))];
}

async function findWrongBytes(queries: Queries, dataDir: string): Promise<readonly string[]> {
  const blobs = await queries.selectFrom('firmware_blobs').selectAll().execute();
  const faults: string[] = [];
  for (const { sha256, blob_key, size } of blobs) {
    const path = join(dataDir, 'firmware', 'blobs', ...blobPath(blob_key).split('/'));
    const bytes = existsSync(path) ? readFileSync(path) : null;
    if (bytes === null || bytes.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256) {
      faults.push(`${blob_key} is missing or has other bytes`);
    }
  }
  const incoming = readdirSync(join(dataDir, 'firmware', 'incoming'));
  return incoming.length === 0 ? faults : [...faults, `left in the spool: ${incoming.join(', ')}`];
}
