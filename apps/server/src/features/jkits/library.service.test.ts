import { VirtualClock } from '@wirebench/clock';
import { allChips, type LibraryChip } from '@wirebench/contract/chip-library';
import { allDecoders, type LibraryDecoder } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { type DatabaseKind, databaseKinds } from '../../testing/databases.ts';
import { jkitRepository } from './jkits.repository.ts';
import { allJkits } from './library/all-jkits.ts';
import type { LibraryJkit } from './library/library-jkit.ts';
import { libraryRepository } from './library.repository.ts';
import { stockLibrary } from './library.service.ts';
import { ratingRepository } from './ratings.repository.ts';
import { searchRepository } from './search.repository.ts';
import { starRepository } from './stars.repository.ts';

const first = Date.UTC(2026, 10, 20, 12);
const nothing = { added: 0, changed: 0, removed: 0 };

const jkit = (number: number, name: string, command = 'AT'): LibraryJkit => ({
  id: `01939c00-0000-7000-8000-0000000000f${number}`,
  name,
  description: 'Commands of a modem.',
  tags: ['AT'],
  content: { fields: [command] },
});

function library(queries: Queries) {
  const clock = new VirtualClock(first);
  const repository = libraryRepository(queries);
  const search = searchRepository(queries);
  return {
    clock,
    stock: (
      jkits: readonly LibraryJkit[],
      chips: readonly LibraryChip[] = [],
      decoders: readonly LibraryDecoder[] = [],
    ) => stockLibrary(repository, { uart: jkits, chip: chips, decoder: decoders }, clock),
    find: async (query: string) =>
      (await search.find({ query, type: undefined, skip: 0, limit: 100 })).map(({ name }) => name),
    jkits: jkitRepository(queries),
  };
}

async function opened({ open }: DatabaseKind) {
  const { database, [Symbol.asyncDispose]: close } = await open();
  return { queries: database.queries, ...library(database.queries), [Symbol.asyncDispose]: close };
}

describe.each(databaseKinds)('the library on $name', (kind) => {
  it('is there from the first start on, shared by the system publisher, and found', async () => {
    await using test = await opened(kind);
    expect(await test.stock(allJkits)).toEqual({ ...nothing, added: allJkits.length });
    for (const { id, name, content } of allJkits) {
      const { jkit: stored, owner } = (await test.jkits.find(id)) ?? {};
      expect(owner).toBeNull();
      expect(stored).toMatchObject({ name, publisher: 'wirebench', shared: true, rating: 0, ratingCount: 0 });
      expect(JSON.parse(stored?.content ?? '')).toEqual(content);
      expect(await test.find(name)).toContain(name);
    }
    for (const [query, name] of [
      ['at', 'Quectel'],
      ['grbl', 'GRBL'],
      ['marl', 'Marlin'],
      ['sim800', 'SIMCom'],
      ['pmtk', 'NMEA'],
      ['modbus', 'Modbus'],
      ['scpi', 'SCPI'],
      ['firmata', 'Arduino'],
      ['demo', 'Demo board'],
    ] as const) {
      expect(
        (await test.find(query)).some((found) => found.startsWith(name)),
        query,
      ).toBe(true);
    }
  });

  it('is left as it is by the next start', async () => {
    await using test = await opened(kind);
    await test.stock(allJkits);
    await test.clock.advance(1_000);
    expect(await test.stock(allJkits)).toEqual(nothing);
    const { jkit: stored } = (await test.jkits.find(allJkits[0]?.id ?? '')) ?? {};
    expect(stored?.updatedAt).toBe(new Date(first).toISOString());
  });

  it('is stocked once by several that start at the same moment', async () => {
    await using test = await opened(kind);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => test.stock(allJkits)));
    expect(outcomes.map(({ added }) => added).toSorted((one, other) => other - one)).toEqual([
      allJkits.length,
      0,
      0,
      0,
      0,
    ]);
  });

  it('follows a new version of the product, and keeps what people think of what stays', async () => {
    await using test = await opened(kind);
    await test.stock([jkit(1, 'Modem'), jkit(2, 'Printer'), jkit(3, 'Laser')]);
    const { number } = (await test.jkits.find(jkit(1, '').id)) ?? { number: 0 };
    const star = { subject: 'subject-of-maker', jkit: number, at: new Date(first).toISOString() };
    await starRepository(test.queries).add(star, 5);
    await ratingRepository(test.queries).rate({ jkit: number, subject: 'subject-of-maker', stars: 4 });
    await test.clock.advance(60_000);

    const outcome = await test.stock([jkit(1, 'Cellular', 'ATI'), jkit(2, 'Printer'), jkit(4, 'Plotter')]);
    expect(outcome).toEqual({ added: 1, changed: 1, removed: 1 });
    const { jkit: changed } = (await test.jkits.find(jkit(1, '').id)) ?? {};
    expect(changed).toMatchObject({
      name: 'Cellular',
      content: '{"fields":["ATI"]}',
      rating: 4,
      ratingCount: 1,
      createdAt: new Date(first).toISOString(),
      updatedAt: new Date(first + 60_000).toISOString(),
    });
    expect(await starRepository(test.queries).has('subject-of-maker', number)).toBe(true);
    expect(await test.find('cellular')).toEqual(['Cellular']);
    expect(await test.find('plott')).toEqual(['Plotter']);
    expect([...(await test.find('modem 1')), ...(await test.find('laser'))]).toEqual([]);
    expect(await test.jkits.find(jkit(3, '').id)).toBeNull();
  });

  it('has the chips beside the messages, each found by its part, an address and its category', async () => {
    await using test = await opened(kind);
    expect(await test.stock(allJkits, allChips)).toEqual({ ...nothing, added: allJkits.length + allChips.length });
    const search = searchRepository(test.queries);
    for (const { id, content } of allChips) {
      const { jkit: stored } = (await test.jkits.find(id)) ?? {};
      expect(stored).toMatchObject({ type: 'chip', publisher: 'wirebench', shared: true });
      const address = content.addresses?.[0];
      const queries = [
        content.name,
        content.category,
        ...(address === undefined ? [] : [`0x${address.toString(16).padStart(2, '0')}`]),
      ];
      for (const query of queries) {
        const found = await search.find({ query, type: 'chip', skip: 0, limit: 100 });
        expect(found.map(({ _id }) => _id)).toContain(id);
      }
    }
    expect(await test.stock(allJkits, allChips)).toEqual(nothing);
  });

  it('has the decoders, each found by its protocol and the names of its messages', async () => {
    await using test = await opened(kind);
    expect(await test.stock([], [], allDecoders)).toEqual({ ...nothing, added: allDecoders.length });
    const search = searchRepository(test.queries);
    for (const { id, content } of allDecoders) {
      const { jkit: stored } = (await test.jkits.find(id)) ?? {};
      expect(stored).toMatchObject({ type: 'decoder', publisher: 'wirebench', shared: true });
      const message = content.messages?.[0]?.name;
      for (const query of [content.name, content.title, ...(message === undefined ? [] : [message])]) {
        const found = await search.find({ query, type: 'decoder', skip: 0, limit: 100 });
        expect(
          found.map(({ _id }) => _id),
          query,
        ).toContain(id);
      }
    }
    expect(await test.stock([], [], allDecoders)).toEqual(nothing);
  });

  it('touches nothing that people have saved', async () => {
    await using test = await opened(kind);
    const saving = { owner: 'subject-of-maker', publisher: 'wirebench', at: new Date(first).toISOString() };
    const draft = { type: 'uart' as const, content: '{"fields":[]}', description: '', tags: [], version: '1' };
    const own = await test.jkits.insert({ ...draft, name: 'Modem', shared: true }, saving, 5);
    await test.stock([jkit(1, 'Modem')]);
    await test.stock([]);
    expect((await test.jkits.find(own?._id ?? ''))?.jkit).toEqual(own);
    expect(await test.jkits.count('subject-of-maker', undefined)).toBe(1);
  });
});
