/** Lists the blobs that a copy of the product's database needs. */
import { DatabaseSync } from 'node:sqlite';

/** Returns the keys of the bytes that versions refer to. Unfinished uploads are not included. */
export function blobKeys(path: string): readonly string[] {
  const database = new DatabaseSync(path);
  try {
    // A backup of an older version has an older schema.
    const hasElfs = database.prepare("select 1 from sqlite_master where name = 'firmware_elfs'").get() !== undefined;
    return database
      .prepare(
        `select distinct blob_key as key from firmware_blobs
         where sha256 in (select sha256 from firmware_files
           ${hasElfs ? 'union all select sha256 from firmware_elfs' : ''})
         order by key`,
      )
      .all()
      .map(({ key }) => String(key));
  } finally {
    database.close();
  }
}
