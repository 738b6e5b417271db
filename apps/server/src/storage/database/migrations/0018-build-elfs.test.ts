import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { elfRepository } from '../../../features/releases/elfs.repository.ts';
import { databaseKinds } from '../../../testing/databases.ts';
import { undoSteps } from '../../../testing/undo-steps.ts';
import { openDatabase } from '../database.ts';

describe.each(databaseKinds)('ELF files of builds, on $name', ({ place: openPlace }) => {
  it('leave the ELF file of a version that was there before with the version itself', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      const { queries } = database;
      await undoSteps(queries, '0018-build-elfs');
      for (const statement of [
        sql`insert into firmware_projects (id, subject, publisher, name, name_key, description, device_family,
          device_model, is_public, is_demo, share_id, revision, created_at, updated_at)
          values ('p', 's', 'maker', 'P', 'p', '', 'esp', 'esp32', 1, 0, 'share p', 1, 'now', 'now')`,
        sql`insert into firmware_versions (id, project_id, version, version_key, description, is_public, share_id,
          created_at) values ('v', 'p', '1', '1', 'd', 1, 'share v', 'now')`,
        sql`insert into firmware_blobs (sha256, blob_key, size) values ('aa', 'aa.1', 3)`,
        sql`insert into firmware_elfs (version_id, file_name, size, sha256) values ('v', 'app.elf', 3, 'aa')`,
      ]) {
        await statement.execute(queries);
      }
    }
    await using database = await openDatabase(place.options);
    const elfs = elfRepository(database.queries);
    const kept = { fileName: 'app.elf', size: 3, sha256: 'aa' };
    expect(await elfs.ofVersion('v', null, 's')).toEqual({ ...kept, key: 'aa.1' });
    expect(await elfs.byHash('aa', 's')).toEqual({ ...kept, versionId: 'v', project: 'P', version: '1' });
    // Deleted with the version, as before.
    await database.queries.deleteFrom('firmware_versions').execute();
    expect(await database.queries.selectFrom('firmware_elfs').selectAll().execute()).toEqual([]);
  });
});
