import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import { feedbackRepository } from './feedback.repository.ts';

const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const row = (minute: number, email = 'maker@wirebench.example') => ({
  email,
  message: `message of minute ${minute}`,
  subject: 'subject',
  createdAt: at(minute),
});

describe.each(databaseKinds)('feedback on $name', ({ open }) => {
  it('comes back as it was stored, with an id that sorts by time', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    const text = 'Ünïcode, "quotes", \r\n line ends and 🛠️';
    const stored = await repository.insert({ ...row(1), message: text });
    expect(stored._id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await repository.page({ email: null, offset: 0, limit: 10 })).toEqual([stored]);
    expect(stored).toEqual({ _id: stored._id, email: row(1).email, message: text, createdAt: at(1) });
  });

  it('is read newest first, page by page', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    for (const minute of [3, 1, 5, 2, 4]) {
      await repository.insert(row(minute));
    }
    const minutes = async (offset: number) =>
      (await repository.page({ email: null, offset, limit: 2 })).map(({ createdAt }) => createdAt);
    expect([await minutes(0), await minutes(2), await minutes(4), await minutes(6)]).toEqual([
      [at(5), at(4)],
      [at(3), at(2)],
      [at(1)],
      [],
    ]);
  });

  it('is paged by position without gaps or repeats while new messages arrive', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    const before = new Set<string>();
    for (let entry = 0; entry < 20; entry++) {
      before.add((await repository.insert(row(entry % 3)))._id);
    }
    const read: string[] = [];
    let batch = await repository.after(null, null, 6);
    while (batch.length > 0) {
      read.push(...batch.map(({ _id }) => _id));
      await repository.insert(row(30));
      batch = await repository.after(null, batch.at(-1) ?? null, 6);
    }
    expect(read.length).toBe(before.size);
    expect(new Set(read)).toEqual(before);
  });

  it('is found by its sender in any case and Unicode form, and never by a part', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    await repository.insert(row(1, 'Maker@Wirebench.example'));
    await repository.insert(row(2, 'JÖRG'.normalize('NFD')));
    await repository.insert(row(3, '100%_sure'));
    const found = async (email: string) => [
      (await repository.page({ email, offset: 0, limit: 10 })).length,
      (await repository.after(email, null, 10)).length,
      await repository.count(email),
    ];
    expect(await found('maker@wirebench.EXAMPLE')).toEqual([1, 1, 1]);
    expect(await found('jörg')).toEqual([1, 1, 1]);
    expect(await found('maker@wirebench')).toEqual([0, 0, 0]);
    expect(await found('%')).toEqual([0, 0, 0]);
    expect(await repository.count(null)).toBe(3);
  });

  it('is counted: all, since a moment, and senders in any case', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    expect(await repository.totals(at(0))).toEqual({ all: 0, recent: 0, senders: 0 });
    await repository.insert(row(1, 'a@wirebench.example'));
    await repository.insert(row(2, 'A@wirebench.example'));
    await repository.insert(row(3, 'b@wirebench.example'));
    expect(await repository.totals(at(2))).toEqual({ all: 3, recent: 2, senders: 2 });
  });

  it('cannot be made to run SQL', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    const attack = "x'; drop table feedback; --";
    await repository.insert({ ...row(1, attack), message: attack });
    expect(await repository.count(attack)).toBe(1);
  });
});
