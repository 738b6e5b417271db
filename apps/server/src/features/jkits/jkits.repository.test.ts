import { JkitChange as Change, type Jkit, type JkitChange, Jkit as JkitSchema, NewJkit } from '@wirebench/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import { jkitRepository } from './jkits.repository.ts';

const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const saving = (owner = 'maker', minute = 0) => ({ owner: `subject-of-${owner}`, publisher: owner, at: at(minute) });
const draft = (name: string, more: object = {}) => NewJkit.parse({ name, content: '{"fields":[]}', ...more });
const page = { type: undefined, sort: 'createdAt', skip: 0, limit: 20 } as const;
const names = (jkits: readonly Jkit[]) => jkits.map(({ name }) => name);

describe.each(databaseKinds)('jkits on $name', ({ open }) => {
  it('come back as they were saved', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const saved = await jkits.insert(
      draft('Ünïcode, "quotes" and 🛠️', {
        content: '{ "fields": ["AT\\u0000"], "later": {"é": [1]} }',
        description: "It's % and _ and \\",
        shared: true,
        tags: ['gsm', "x'; drop table jkits; --"],
        version: '2.1',
      }),
      saving(),
      5,
    );
    expect(JkitSchema.parse(saved)).toEqual({
      _id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      name: 'Ünïcode, "quotes" and 🛠️',
      type: 'uart',
      content: '{ "fields": ["AT\\u0000"], "later": {"é": [1]} }',
      description: "It's % and _ and \\",
      shared: true,
      tags: ['gsm', "x'; drop table jkits; --"],
      version: '2.1',
      publisher: 'maker',
      createdAt: at(0),
      updatedAt: at(0),
      rating: 0,
      ratingCount: 0,
    });
    expect(await jkits.find(saved?._id ?? '')).toEqual({
      jkit: saved,
      number: expect.any(Number),
      owner: 'subject-of-maker',
      isWithheld: false,
    });
    expect(await jkits.find('01990000-0000-7000-8000-000000000000')).toBeNull();
  });

  it('keep any content to the letter', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const saved = await jkits.insert(draft('content'), saving(), 1);
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.constantFrom('', ' ', '\r\n'), async (json, space) => {
        const change = Change.parse({ content: `{${space}"fields":[${json}],${space}"more":${json}}` });
        await jkits.update(saved?._id ?? '', change, saving());
        expect((await jkits.find(saved?._id ?? ''))?.jkit.content).toBe(change.content);
      }),
      { numRuns: 30 },
    );
  });

  it('are listed in each order, page by page, and only those of their owner', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const ids: string[] = [];
    for (const [minute, name] of ['beta', 'Alpha', 'gamma', 'alpha'].entries()) {
      ids.push((await jkits.insert(draft(name), saving('maker', minute), 5))?._id ?? '');
    }
    await jkits.insert(draft('of somebody else'), saving('tinkerer'), 5);
    await jkits.update(ids[0] ?? '', {}, saving('maker', 10));
    await opened.database.queries
      .updateTable('jkits')
      .set({ rating_total: 9, rating_count: 2 })
      .where('id', '=', ids[2] ?? '')
      .execute();
    await opened.database.queries
      .updateTable('jkits')
      .set({ rating_total: 4, rating_count: 1 })
      .where('id', '=', ids[1] ?? '')
      .execute();
    const listed = async (more: object) => names(await jkits.page('subject-of-maker', { ...page, ...more }));
    expect(await listed({})).toEqual(['alpha', 'gamma', 'Alpha', 'beta']);
    expect(await listed({ sort: 'updatedAt' })).toEqual(['beta', 'alpha', 'gamma', 'Alpha']);
    expect(await listed({ sort: 'rating' })).toEqual(['gamma', 'Alpha', 'alpha', 'beta']);
    expect(await listed({ sort: 'name' })).toEqual(['alpha', 'Alpha', 'beta', 'gamma']);
    expect([await listed({ limit: 2 }), await listed({ skip: 2, limit: 2 }), await listed({ skip: 4 })]).toEqual([
      ['alpha', 'gamma'],
      ['Alpha', 'beta'],
      [],
    ]);
    expect(await listed({ type: 'uart' })).toHaveLength(4);
    expect(await jkits.count('subject-of-maker', 'uart')).toBe(4);
    expect(await jkits.count('subject-of-nobody', undefined)).toBe(0);
  });

  it('never exceed the limit of their owner, however many are saved at once', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const save = (owner: string) => (_: unknown, number: number) =>
      jkits.insert(draft(`number ${number}`, { shared: true }), saving(owner), 5);
    const saved = await Promise.all([
      ...Array.from({ length: 30 }, save('maker')),
      ...Array.from({ length: 10 }, save('tinkerer')),
    ]);
    expect(saved.filter((jkit) => jkit !== null)).toHaveLength(10);
    expect([
      await jkits.count('subject-of-maker', undefined),
      await jkits.count('subject-of-tinkerer', undefined),
    ]).toEqual([5, 5]);
    await jkits.remove((await jkits.page('subject-of-maker', page))[0]?._id ?? '', 'subject-of-maker');
    expect(await jkits.insert(draft('in the free slot'), saving(), 5)).not.toBeNull();
    expect(await jkits.insert(draft('without a slot'), saving(), 5)).toBeNull();
  });

  it('are changed by their owner only, and only in the fields that the change names', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const before = await jkits.insert(draft('name', { description: 'description', tags: ['tag'] }), saving(), 5);
    const id = before?._id ?? '';
    expect(await jkits.update(id, { name: 'stolen' }, saving('tinkerer', 1))).toBeNull();
    expect(await jkits.update(id, { name: 'renamed' }, saving('maker', 2))).toEqual({
      ...before,
      name: 'renamed',
      updatedAt: at(2),
    });
    expect(await jkits.remove(id, 'subject-of-tinkerer')).toBe(false);
    expect(await jkits.remove(id, 'subject-of-maker')).toBe(true);
    expect(await jkits.remove(id, 'subject-of-maker')).toBe(false);
    expect(await jkits.update(id, { name: 'gone' }, saving())).toBeNull();
  });

  it('keep all of several different changes that arrive together', async () => {
    await using opened = await open();
    const jkits = jkitRepository(opened.database.queries);
    const id = (await jkits.insert(draft('name'), saving(), 5))?._id ?? '';
    const changes: JkitChange[] = [
      { name: 'renamed' },
      { description: 'described' },
      { shared: true },
      { tags: ['tagged'] },
      { version: '3' },
    ];
    await Promise.all(changes.map((change) => jkits.update(id, change, saving())));
    expect((await jkits.find(id))?.jkit).toMatchObject(Object.assign({}, ...changes));
  });

  it('cannot be changed or removed by any user if they belong to the product', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const jkits = jkitRepository(queries);
    const id = '00000000-0000-4000-8000-000000000001';
    await queries
      .insertInto('jkits')
      .values({
        id,
        owner: null,
        publisher: 'wirebench',
        name: 'AT basics',
        name_key: 'at basics',
        type: 'uart',
        content: '{"fields":["AT"]}',
        description: '',
        shared: 1,
        tags: '[]',
        version: '1.0.0',
        created_at: at(0),
        updated_at: at(0),
      })
      .execute();
    expect((await jkits.find(id))?.owner).toBeNull();
    expect(await jkits.update(id, { name: 'mine' }, saving('wirebench'))).toBeNull();
    expect(await jkits.remove(id, 'wirebench')).toBe(false);
  });
});
