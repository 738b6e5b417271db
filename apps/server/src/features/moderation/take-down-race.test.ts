/** An owner changes the visibility of an item at the moment in which it is taken down. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { holdSharing } from '../../access/sharing-block.repository.ts';
import { openDatabase, type Queries } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { actorCalled } from '../../testing/firmware-services.ts';
import { projectRepository } from '../releases/projects.repository.ts';
import { versionRepository } from '../releases/versions.repository.ts';
import { withhold } from './withholding.repository.ts';

const at = '2026-11-20T12:00:00.000Z';
const actor = actorCalled('maker');

/** Resolves when a connection of the database waits for a lock. SQLite admits no second writer anyway. */
async function untilWaiting(queries: Queries, name: string): Promise<void> {
  for (let look = 0; look < 1_000; look++) {
    if (name === 'SQLite') {
      await new Promise((resolve) => setImmediate(resolve));
    } else {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(queries);
      if (rows.length > 0) {
        return;
      }
    }
  }
}

describe.each(databaseKinds)('on $name, an owner', ({ name, place: openPlace }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const place = stack.use(await openPlace());
    const { queries } = stack.use(await openDatabase(place.options));
    const other = stack.use(await openDatabase(place.options));
    const projects = projectRepository(queries);
    const versions = versionRepository(queries);
    const project = await projects.insert(
      { actor, name: 'Weather', description: '', deviceFamily: 'esp', deviceModel: 'esp32', shareId: 'A', at },
      5,
    );
    if (typeof project === 'string') {
      throw new Error(project);
    }
    const projectId = project._id;
    await projects.setPublic({ id: projectId, actor, at }, true);
    const versionId = '01990000-0000-7000-8000-000000000001';
    await queries
      .insertInto('firmware_versions')
      .values({
        id: versionId,
        project_id: projectId,
        version: '1',
        version_key: '1',
        description: '',
        is_public: 1,
        share_id: 'B',
        share_ends_at: null,
        console_baud_rate: null,
        console_line_ending: null,
        console_jkit_id: null,
        withheld: null,
        withheld_reason: null,
        created_at: at,
      })
      .execute();
    await queries.insertInto('firmware_blobs').values({ sha256: 'hash', blob_key: 'key', size: 1 }).execute();
    await queries
      .insertInto('firmware_files')
      .values({ id: 'file', version_id: versionId, file_name: 'a.bin', size: 1, flash_offset: 0, sha256: 'hash' })
      .execute();
    const resources = stack.move();
    return {
      queries,
      other: other.queries,
      projects,
      versions,
      projectId,
      versionId,
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }

  it.each(['project', 'version'] as const)('cannot undo the take-down of a %s that has just begun', async (type) => {
    await using test = await start();
    const id = type === 'project' ? test.projectId : test.versionId;
    let toggled: Promise<unknown> = Promise.resolve();
    await test.other.transaction().execute(async (transaction) => {
      await holdSharing(transaction, actor.user.subject);
      const edit = { id, actor, at };
      // Asks for public, the state before the take-down. Without a check under the lock, the call would undo the take-down.
      toggled = (type === 'project' ? test.projects.setPublic(edit, true) : test.versions.setPublic(edit, true)).catch(
        (error: unknown) => error,
      );
      await untilWaiting(test.queries, name);
      await withhold(transaction, { type, id }, { by: 'taken-down', reason: 'harmful' });
    });
    expect(await toggled).toMatchObject({ code: 'own-taken-down' });
    const table = type === 'project' ? 'firmware_projects' : 'firmware_versions';
    const row = await test.queries
      .selectFrom(table)
      .select(['is_public', 'withheld'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ is_public: 0, withheld: 'taken-down' });
  });
});
