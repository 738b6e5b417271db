import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../testing/databases.ts';
import { undoSteps } from '../../../testing/undo-steps.ts';
import { openDatabase } from '../database.ts';

describe.each(databaseKinds)('folding what is searched, on $name', ({ place: openPlace }) => {
  it('reaches projects and senders that were there before, however many', async () => {
    await using place = await openPlace();
    const count = 1_100;
    {
      await using database = await openDatabase(place.options);
      const { queries } = database;
      const numbers = Array.from({ length: count }, (_, number) => number);
      const idOf = (number: number) => String(number).padStart(5, '0');
      const feedback = numbers.map(
        (number) => sql`(${idOf(number)}, ${`Straße ${number}`}, ${`straße ${number}`}, 'm', 's', 'now')`,
      );
      await sql`
        insert into feedback (id, email, email_key, message, subject, created_at)
        values ${sql.join(feedback)}`.execute(queries);
      const projects = numbers.map((number) => {
        const id = idOf(number);
        return sql`(${id}, 's', 'p', ${`Straße  ${number}`}, ${id}, '', 'esp', 'esp32', 0, 0, ${id}, 1, 'now', 'now')`;
      });
      await sql`
        insert into firmware_projects (id, subject, publisher, name, name_key, description, device_family, device_model,
          is_public, is_demo, share_id, revision, created_at, updated_at)
        values ${sql.join(projects)}`.execute(queries);
      await undoSteps(queries, '0013-searches-and-tokens');
    }
    await using database = await openDatabase(place.options);
    const projects = await database.queries
      .selectFrom('firmware_projects')
      .select('search_key')
      .orderBy('id')
      .execute();
    const senders = await database.queries.selectFrom('feedback').select('email_key').orderBy('id').execute();
    const folded = Array.from({ length: count }, (_, number) => `strasse ${number}`);
    expect(projects.map((row) => row.search_key)).toEqual(folded);
    expect(senders.map((row) => row.email_key)).toEqual(folded);
  });
});
