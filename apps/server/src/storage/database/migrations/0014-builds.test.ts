import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { versionRepository } from '../../../features/releases/versions.repository.ts';
import { databaseKinds } from '../../../testing/databases.ts';
import { undoSteps } from '../../../testing/undo-steps.ts';
import { openDatabase } from '../database.ts';

describe.each(databaseKinds)('builds of versions, on $name', ({ place: openPlace }) => {
  it('are empty for earlier versions, which keep their files, flashes and crashes', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      const { queries } = database;
      await undoSteps(queries, '0014-builds');
      const statements = [
        sql`insert into firmware_projects (id, subject, publisher, name, name_key, description, device_family,
          device_model, is_public, is_demo, share_id, revision, created_at, updated_at)
          values ('p', 's', 'maker', 'P', 'p', '', 'esp', 'esp32', 1, 0, 'share p', 1, 'now', 'now')`,
        sql`insert into firmware_versions (id, project_id, version, version_key, description, is_public, share_id,
          created_at) values ('v', 'p', '1', '1', 'd', 1, 'share v', 'now')`,
        sql`insert into firmware_blobs (sha256, blob_key, size) values ('aa', 'aa.1', 3)`,
        sql`insert into firmware_files (id, version_id, file_name, size, flash_offset, sha256)
          values ('f', 'v', 'app.bin', 3, 65536, 'aa')`,
        sql`insert into firmware_flashes (version_id, result, chip, error_code, count)
          values ('v', 'success', '', '', 7)`,
        sql`insert into crash_groups (version_id, fingerprint, cause, chips, count, first_seen_at, last_seen_at)
          values ('v', '0', 'c', '{}', 2, 'now', 'now')`,
      ];
      for (const statement of statements) {
        await statement.execute(queries);
      }
    }
    await using database = await openDatabase(place.options);
    const [version] = (await versionRepository(database.queries).ofProject('p', 's')) ?? [];
    expect(version).toEqual({
      _id: 'v',
      shareId: 'share v',
      version: '1',
      description: 'd',
      isPublic: true,
      createdAt: 'now',
      writeCount: 7,
      console: null,
      files: [{ _id: 'f', fileName: 'app.bin', size: 3, offset: '0x10000', sha256: 'aa' }],
      crashes: 2,
    });
  });
});
