/** Which blobs a copy of the product's database needs. */
import { DatabaseSync } from 'node:sqlite';

/** Keys of the bytes that versions have; uploads that have not finished do not count. */
export function blobKeys(path: string): readonly string[] {
  const database = new DatabaseSync(path);
  try {
    return database
      .prepare(
        `select distinct firmware_blobs.blob_key as key from firmware_files
         join firmware_blobs on firmware_blobs.sha256 = firmware_files.sha256 order by key`,
      )
      .all()
      .map(({ key }) => String(key));
  } finally {
    database.close();
  }
}
