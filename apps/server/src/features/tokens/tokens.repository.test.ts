import { describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { tokenRepository } from './tokens.repository.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
const projectOf = (subject: string) => `project of ${subject}`;
const row = (name: string, subject = 'maker') => ({
  subject,
  username: subject,
  projectId: projectOf(subject),
  name,
  secretHash: `hash of ${name}`,
  createdAt: at(1),
  expiresAt: at(20),
});

/** Adds a project of each owner, because a token belongs to a project. */
async function addProjects(queries: Queries): Promise<void> {
  for (const subject of ['maker', 'tinkerer']) {
    await queries
      .insertInto('firmware_projects')
      .values({
        id: projectOf(subject),
        subject,
        publisher: subject,
        name: 'Weather',
        name_key: 'weather',
        description: '',
        device_family: 'esp',
        device_model: 'esp32',
        is_public: 0,
        is_demo: 0,
        share_id: `share of ${subject}`,
        revision: 1,
        created_at: at(1),
        updated_at: at(1),
      })
      .execute();
  }
}

describe.each(databaseKinds)('publishing tokens on $name', ({ open }) => {
  it('are found by their hash while they last', async () => {
    await using opened = await open();
    await addProjects(opened.database.queries);
    const repository = tokenRepository(opened.database.queries);
    const token = await repository.insert(row('CI'), 5);
    const id = typeof token === 'string' ? '' : token._id;
    expect(await repository.holder('hash of CI', at(19))).toEqual({
      id,
      name: 'CI',
      projectId: projectOf('maker'),
      subject: 'maker',
      username: 'maker',
      ownerSeenAt: null,
      isOwnerBlocked: false,
      lastUsedAt: null,
    });
    await repository.markUsed(id, at(19));
    expect((await repository.holder('hash of CI', at(19)))?.lastUsedAt).toBe(at(19));
    expect(await repository.holder('hash of CI', at(20))).toBeNull();
    expect(await repository.holder('hash of', at(19))).toBeNull();
  });

  it("are the owner's to list and to remove", async () => {
    await using opened = await open();
    await addProjects(opened.database.queries);
    const repository = tokenRepository(opened.database.queries);
    const token = await repository.insert(row('CI'), 5);
    await repository.insert(row('Other', 'tinkerer'), 5);
    const id = typeof token === 'string' ? '' : token._id;
    expect(await repository.ofSubject('maker')).toEqual([token]);
    expect(await repository.remove(id, 'tinkerer')).toBe(false);
    expect(await repository.remove(id, 'maker')).toBe(true);
    expect(await repository.remove(id, 'maker')).toBe(false);
    expect(await repository.ofSubject('maker')).toEqual([]);
  });

  it('stop at the limit, however many ask at once', async () => {
    await using opened = await open();
    await addProjects(opened.database.queries);
    const repository = tokenRepository(opened.database.queries);
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => repository.insert(row(`${index}`), 3)));
    expect(results.filter((result) => result === 'limit')).toHaveLength(7);
    expect(await repository.insert(row('Other', 'tinkerer'), 3)).not.toBe('limit');
  });
});
