/** Lists the blobs that a copy of the product's database needs. */
import { DatabaseSync } from 'node:sqlite';

/** Returns the keys of the bytes that versions and projects refer to. Unfinished uploads are not included. */
export function blobKeys(path: string): readonly string[] {
  const database = new DatabaseSync(path);
  try {
    // A backup of an older version has an older schema.
    const has = (table: string) =>
      database.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined;
    return database
      .prepare(
        `select distinct blob_key as key from firmware_blobs
         where sha256 in (select sha256 from firmware_files
           ${has('firmware_elfs') ? 'union all select sha256 from firmware_elfs' : ''}
           ${has('firmware_pictures') ? 'union all select sha256 from firmware_pictures' : ''})
         order by key`,
      )
      .all()
      .map(({ key }) => String(key));
  } finally {
    database.close();
  }
}
