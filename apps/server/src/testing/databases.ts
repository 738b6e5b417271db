/** Every kind of database that the product runs on, for suites that have to pass on each. */
import { join } from 'node:path';
import { type Database, openDatabase } from '../storage/database/database.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
}

export const databaseKinds: readonly { readonly name: string; readonly open: () => Promise<TestDatabase> }[] = [
  {
    name: 'SQLite',
    open: async () => {
      const folder = await temporaryFolder();
      const database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
      return {
        database,
        [Symbol.asyncDispose]: async () => {
          await database.close();
          await folder[Symbol.asyncDispose]();
        },
      };
    },
  },
];
