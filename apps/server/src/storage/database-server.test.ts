import { describe, expect, inject, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { createPostgresDatabase } from '../testing/postgres-database.ts';
import { openDatabaseServer } from './database-server.ts';

const refusalOf = (url: string) =>
  openDatabaseServer(url).then(
    () => 'opened',
    (error: unknown) => (error instanceof StartError ? error.lines.join('\n') : error),
  );

const postgres = inject('postgres');

describe('a database server that cannot be used', () => {
  it('is named by its address without the password, with what to do', async () => {
    expect(await refusalOf('postgres://wirebench:secret@127.0.0.1:1/bench')).toBe(
      'DATABASE_URL postgres://127.0.0.1:1/bench cannot be used (ECONNREFUSED): start the database, or set DATABASE_URL to where it is.',
    );
  });

  it.runIf(postgres !== null)(
    'distinguishes a missing database, and a missing right, from one that is away',
    async () => {
      const { url } = postgres ?? { url: '' };
      await using place = await createPostgresDatabase(url);
      const address = new URL(place.url);
      address.pathname = '/nowhere';
      expect(await refusalOf(address.href)).toMatch(
        /^DATABASE_URL postgres:\/\/\S+\/nowhere cannot be used \(database "nowhere" does not exist\): create the user and the database, or correct DATABASE_URL\.$/,
      );
    },
  );
});
