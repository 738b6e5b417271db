import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { StartError } from '../../start-error.ts';
import { databaseContents } from '../../testing/database-contents.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { undoSteps } from '../../testing/undo-steps.ts';
import { openDataFile } from '../data-folder.ts';
import { openDatabaseServer } from '../database-server.ts';
import { type DatabaseOptions, openDatabase, openDatabaseForReading } from './database.ts';
import { DatabaseUnavailableError } from './database-failure.ts';
import { migrations, olderServers } from './migrations/index.ts';
import { migrate } from './schema.ts';

/** Returns the line with which a server refuses to start on the database; null if it starts. */
async function refusalOf(options: DatabaseOptions): Promise<string | null> {
  try {
    await using _database =
      'url' in options
        ? await openDatabaseServer(options.url)
        : await openDataFile(options.path, (path) => openDatabase({ path }));
    return null;
  } catch (error) {
    return error instanceof StartError ? error.lines.join('\n') : String(error);
  }
}

const TOMORROW = sql`insert into kysely_migration (name, timestamp) values ('9999-tomorrow', '2027-01-01T00:00:00.000Z')`;

describe.each(databaseKinds)('the schema on $name', ({ name, place: openPlace }) => {
  it('is refused with its version if it is newer, without advice about damage or backups', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await TOMORROW.execute(database.queries);
      await database.queries
        .insertInto('schema_steps')
        .values({ name: '9999-tomorrow', product_version: '7.8.9' })
        .execute();
    }
    const refusal = await refusalOf(place.options);
    expect(refusal).toContain('the newer version 7.8.9 of Wirebench has changed it (9999-tomorrow)');
    expect(refusal).toContain(`this is version ${manifest.version}`);
    expect(refusal).toContain('start that version or a newer one; nothing is damaged.');
    expect(refusal).not.toMatch(/corrupt|backup/);
  });

  it('is refused in the same way if the newer version is unknown', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await TOMORROW.execute(database.queries);
    }
    expect(await refusalOf(place.options)).toContain('a newer version of Wirebench has changed it (9999-tomorrow)');
  });

  it('records which version applied a step', async () => {
    await using place = await openPlace();
    await using database = await openDatabase(place.options);
    const steps = await database.queries.selectFrom('schema_steps').selectAll().execute();
    expect(steps).toContainEqual({ name: '0013-searches-and-tokens', product_version: manifest.version });
  });

  it('stays unchanged when the database is opened for reading', async () => {
    await using place = await openPlace();
    await using database = await openDatabase(place.options);
    const before = await databaseContents(database.queries);
    await using reading = await openDatabaseForReading(place.options);
    await reading.check();
    expect((await reading.queries.selectFrom('feedback').selectAll().execute()).length).toBe(0);
    await expect(
      reading.queries
        .insertInto('feedback')
        .values({ id: '1', email: 'a', email_key: 'a', message: 'm', subject: 's', created_at: 'now' })
        .execute(),
    ).rejects.toThrow();
    expect(await databaseContents(database.queries)).toEqual(before);
  });

  it('is refused, not upgraded, when an older one is opened for reading', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await sql`delete from kysely_migration where name = '0013-searches-and-tokens'`.execute(database.queries);
    }
    await expect(openDatabaseForReading(place.options)).rejects.toThrow('0013-searches-and-tokens is missing');
    await expect(openDatabaseForReading(place.options)).rejects.toMatchObject({ is: 'older' });
  });

  it.runIf(name === 'PostgreSQL')('waits for a table no longer than its bound, and tries again', async () => {
    await using place = await openPlace();
    await using database = await openDatabase(place.options);
    await using other = await openDatabase(place.options);
    await undoSteps(database.queries, '0013-searches-and-tokens');
    const hold = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const reading = other.queries.transaction().execute(async (transaction) => {
      await sql`lock table firmware_projects in access share mode`.execute(transaction);
      held.resolve();
      await hold.promise;
    });
    await held.promise;
    const options = { lockTimeout: 50, pause: 1 };
    await expect(migrate(database.queries, { ...options, attempts: 2 })).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    // Between two attempts, no query waits behind the migration.
    await expect(other.queries.selectFrom('feedback').selectAll().execute()).resolves.toEqual([]);
    const migrated = migrate(database.queries, { ...options, attempts: 1_000 });
    hold.resolve();
    await reading;
    await migrated;
    await expect(database.queries.selectFrom('firmware_projects').select('search_key').execute()).resolves.toEqual([]);
  });

  it.runIf(name === 'PostgreSQL')('does not change beside older servers that would misread the step', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await undoSteps(database.queries, '0014-builds');
    }
    const url = 'url' in place.options ? place.options.url : '';
    for (const application_name of ['wirebench', 'wirebench 0013-searches-and-tokens']) {
      const older = new Client({ connectionString: url, application_name });
      await older.connect();
      const refusal = await refusalOf(place.options);
      expect(refusal).toContain('servers of an older version are connected from');
      expect(refusal).toContain(
        'would serve something wrong after 0014-builds, 0015-channels, 0018-build-elfs, 0020-shared-decoders',
      );
      expect(refusal).toContain('stop all servers of the older version, then start this one; nothing was changed.');
      expect((await older.query(`select to_regclass('firmware_builds') as found`)).rows).toEqual([{ found: null }]);
      await older.end();
    }
    const other = new Client({ connectionString: url, application_name: 'psql' });
    await other.connect();
    expect(await refusalOf(place.options)).toBeNull();
    await other.end();
  });

  it.runIf(name === 'PostgreSQL')('changes beside older servers by steps that are compatible with them', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await undoSteps(database.queries, '0016-pulled-files');
    }
    const url = 'url' in place.options ? place.options.url : '';
    const older = new Client({ connectionString: url, application_name: 'wirebench 0015-channels' });
    await older.connect();
    // Only here, these steps stand for ones that older servers can work with, as those before them are.
    Object.assign(olderServers, { '0018-build-elfs': 'work', '0020-shared-decoders': 'work' });
    try {
      expect(await refusalOf(place.options)).toBeNull();
    } finally {
      Object.assign(olderServers, { '0018-build-elfs': 'stop', '0020-shared-decoders': 'stop' });
    }
    await older.end();
  });

  it.runIf(name === 'PostgreSQL')('shows an idle server to a search for older ones', async () => {
    await using place = await openPlace();
    await using database = await openDatabase(place.options);
    await database.check();
    const look = new Client({ connectionString: 'url' in place.options ? place.options.url : '' });
    await look.connect();
    const { rows } = await look.query(
      'select application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await look.end();
    expect(rows).toContainEqual({ name: `wirebench ${Object.keys(migrations).at(-1)}` });
  });
});
