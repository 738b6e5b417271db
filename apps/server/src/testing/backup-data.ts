/** Data folders as a server leaves them, for tests of backups. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { blobFile } from '../backup/data-files.ts';
import { newBlobKey } from '../storage/blobs/blob-store.ts';
import { openDatabase } from '../storage/database/database.ts';

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Creates a data folder with the product's tables and one project. The result adds and removes versions. */
export async function dataFolder(dataDir: string) {
  await mkdir(dataDir);
  const path = join(dataDir, 'wirebench.sqlite');
  await (await openDatabase({ path })).close();
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const now = new Date(0).toISOString();
  database
    .prepare(
      `insert into firmware_projects (id, subject, publisher, name, name_key, description, device_family, device_model,
        is_public, is_demo, share_id, revision, created_at, updated_at)
        values ('p', 's', 'maker', 'P', 'p', '', 'esp', 'esp32', 0, 0, 'share', 0, ?, ?)`,
    )
    .run(now, now);
  return {
    dataDir,
    /** Stores the bytes before the rows, like an upload. Returns the path of the bytes. */
    async add(id: string, content: string): Promise<string> {
      const hash = sha256(content);
      const key = newBlobKey(hash);
      const file = join(dataDir, blobFile(key));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      database.exec('begin immediate');
      database
        .prepare(
          `insert into firmware_versions (id, project_id, version, version_key, description, is_public, share_id, created_at)
            values (?, 'p', ?, ?, '', 0, ?, ?)`,
        )
        .run(id, id, id, id, now);
      database.prepare('insert into firmware_blobs values (?, ?, ?)').run(hash, key, content.length);
      database
        .prepare("insert into firmware_files values (?, ?, 'app.bin', ?, 0, ?, null)")
        .run(id, id, content.length, hash);
      database.exec('commit');
      return file;
    },
    /** Removes the bytes after the rows, like the server. */
    async remove(id: string, file: string): Promise<void> {
      const { sha256: hash } = database.prepare('select sha256 from firmware_files where id = ?').get(id) ?? {};
      database.exec('begin immediate');
      database.prepare('delete from firmware_files where id = ?').run(id);
      database.prepare('delete from firmware_versions where id = ?').run(id);
      database.prepare('delete from firmware_blobs where sha256 = ?').run(hash ?? null);
      database.exec('commit');
      await rm(file);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** Returns the files at any depth, by their path below `folder`. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
