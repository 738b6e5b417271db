import { NewJkit } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { saveManyJkits } from '../../testing/many-jkits.ts';
import { starRepository } from './stars.repository.ts';

const LIMIT = 5;
const at = '2026-11-20T12:00:00.000Z';

async function saveSome(queries: Queries, count: number): Promise<void> {
  const jkit = { ...NewJkit.parse({ name: 'modem', content: '{"fields":[]}', shared: true }), publisher: 'maker' };
  await saveManyJkits(queries, Array(count).fill(jkit));
}

describe.each(databaseKinds)('stars on $name', ({ open }) => {
  it('are as many as one user may have, however many are given at once, and each can be given again', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await saveSome(queries, 12);
    const stars = starRepository(queries);
    const give = (jkit: number) => stars.add({ subject: 'tinkerer', jkit, at }, LIMIT);
    const given = await Promise.all(Array.from({ length: 12 }, (_, index) => give(index + 1)));
    expect(given.filter((isGiven) => isGiven)).toHaveLength(LIMIT);
    expect(await stars.count('tinkerer', undefined)).toBe(LIMIT);
    const starred = given.indexOf(true) + 1;
    const refused = given.indexOf(false) + 1;
    expect(await give(starred)).toBe(true);
    expect(await give(refused)).toBe(false);
    expect(await stars.remove('tinkerer', starred)).toBe(true);
    expect(await give(refused)).toBe(true);
    expect(await stars.add({ subject: 'somebody else', jkit: 1, at }, LIMIT)).toBe(true);
  });
});
