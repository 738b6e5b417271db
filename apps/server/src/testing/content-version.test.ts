import { describe, expect, it } from 'vitest';
import { openDatabase } from '../storage/database/database.ts';
import { contentVersion } from './content-version.ts';
import { databaseKinds } from './databases.ts';

describe.each(databaseKinds)('the version of the contents on $name', ({ place }) => {
  it('changes with a commit of another connection', async () => {
    await using at = await place();
    await using watching = await openDatabase(at.options);
    await using writing = await openDatabase(at.options);
    const before = await contentVersion(watching);
    const values = { id: '1', email: 'a', email_key: 'a', message: 'm', subject: 's', created_at: 'now' };
    await writing.queries.insertInto('feedback').values(values).execute();
    const after = await contentVersion(watching);
    expect(after).not.toBe(before);
    await writing.queries.deleteFrom('feedback').execute();
    expect(await contentVersion(watching)).not.toBe(after);
  });
});

describe.each(databaseKinds.filter(({ name }) => name === 'SQLite'))('the version of the contents on $name', (kind) => {
  it('stays the same without a commit', async () => {
    await using at = await kind.place();
    await using watching = await openDatabase(at.options);
    const before = await contentVersion(watching);
    await watching.queries.selectFrom('feedback').selectAll().execute();
    expect(await contentVersion(watching)).toBe(before);
  });
});
