import { sql } from 'kysely';
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
  it('of a newer version is named with that version, and nothing is said of damage or backups', async () => {
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

  it('of a newer version that has not said which one is refused in the same way', async () => {
    await using place = await openPlace();
    {
      await using database = await openDatabase(place.options);
      await TOMORROW.execute(database.queries);
    }
    expect(await refusalOf(place.options)).toContain('a newer version of Wirebench has changed it (9999-tomorrow)');
  });

  it('notes which version took a step', async () => {
    await using place = await openPlace();
    await using database = await openDatabase(place.options);
    const steps = await database.queries.selectFrom('schema_steps').selectAll().execute();
    expect(steps).toContainEqual({ name: '0013-searches-and-tokens', product_version: manifest.version });
  });

  it('is left as it is by who only reads, and so is everything else', async () => {
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

  it('of an older version is not brought up to date by who only reads', async () => {
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
});
