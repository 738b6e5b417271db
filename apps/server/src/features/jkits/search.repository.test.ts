import { type JkitChange, NewJkit } from '@wirebench/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase, type Queries } from '../../storage/database/database.ts';
import { databaseKinds, type TestDatabase } from '../../testing/databases.ts';
import { saveManyJkits } from '../../testing/many-jkits.ts';
import { createPostgresDatabase } from '../../testing/postgres-database.ts';
import { jkitRepository } from './jkits.repository.ts';
import { searchRepository } from './search.repository.ts';

const postgres = inject('postgres');

const saving = (publisher = 'maker') => ({
  owner: `subject-of-${publisher}`,
  publisher,
  at: '2026-11-20T12:00:00.000Z',
});

/** Saves and finds jkits, identified by their names in assertions. */
function library(queries: Queries) {
  const jkits = jkitRepository(queries);
  const search = searchRepository(queries);
  return {
    save: async (name: string, more: object = {}, publisher = 'maker') => {
      const draft = NewJkit.parse({ name, content: '{"fields":[]}', shared: true, ...more });
      return (await jkits.insert(draft, saving(publisher), 1_000))?._id ?? '';
    },
    change: (id: string, change: JkitChange) => jkits.update(id, change, saving()),
    remove: (id: string) => jkits.remove(id, 'subject-of-maker'),
    rate: (id: string, total: number, count: number) =>
      queries.updateTable('jkits').set({ rating_total: total, rating_count: count }).where('id', '=', id).execute(),
    find: async (query: string, { skip = 0, limit = 100 } = {}) =>
      (await search.find({ query, type: undefined, skip, limit })).map(({ name }) => name),
  };
}

describe.each(databaseKinds)('search on $name', ({ open }) => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await open();
    const { save } = library(shared.database.queries);
    await save('SIM7600 Modem', { description: 'For Quectel too: AT+CMGF=1', tags: ['LTE', 'telemetry'] }, 'tinkerer');
    await save('Another one');
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it.each([
    ['a part of the name', 'odem'],
    ['a part of the description', 'quect'],
    ['a part of a tag', 'telem'],
    ['a part of the publisher', 'nker'],
    ['another case', 'SIM7600 MODEM'],
    ['two letters that begin a word', 'at'],
    ['one letter that begins a word', 'q'],
    ['a command as it is typed', 'AT+CMGF=1'],
    ['a command inside of one', 'cmgf'],
    ['words of different fields', 'modem lte tinkerer'],
    ['another way of writing letters', 'ＭＯＤＥＭ'],
  ])('finds %s: %s', async (_case, query) => {
    expect(await library(shared.database.queries).find(query)).toEqual(['SIM7600 Modem']);
  });

  it('takes characters that mean something to a database for what they are', async () => {
    await using opened = await open();
    const { save, remove, find } = library(opened.database.queries);
    await save('abcz or text');
    for (const query of [
      '%',
      '_',
      '%%',
      'a%z',
      'a_z',
      '\\',
      '"',
      "'",
      '*',
      '-',
      'a*z',
      '^ab',
      '(ab)',
      'text:a',
      '"OR"',
    ]) {
      const asWord = await save(`with ${query} as a word`);
      const inside = await save(`with xx${query}xx inside of one`);
      const found = [`with ${query} as a word`, `with xx${query}xx inside of one`];
      expect(await find(query)).toEqual(query.length > 2 ? found : found.slice(0, 1));
      await remove(asWord);
      await remove(inside);
    }
  });

  it('takes words that mean something to a database for words', async () => {
    await using opened = await open();
    const { save, find } = library(opened.database.queries);
    await save('a b');
    for (const query of ['a" OR "b', 'NEAR(a b)', 'a AND b', 'b NOT a', "'; drop table jkits; --"]) {
      await save(`with ${query} inside`);
      expect(await find(query)).toEqual([`with ${query} inside`]);
    }
  });

  it('finds what is shared and nothing else, from the moment on that it is', async () => {
    await using opened = await open();
    const { save, change, remove, find } = library(opened.database.queries);
    const id = await save('modem', { shared: false });
    expect(await find('modem')).toEqual([]);
    await change(id, { shared: true });
    expect(await find('modem')).toEqual(['modem']);
    await change(id, { name: 'router', description: 'was something else' });
    expect([await find('modem'), await find('router'), await find('something')]).toEqual([[], ['router'], ['router']]);
    await change(id, { shared: false });
    expect([await find('router'), await find('something')]).toEqual([[], []]);
    await change(id, { shared: true });
    await remove(id);
    expect([await find('router'), await find('something'), await find('so')]).toEqual([[], [], []]);
  });

  it('gives the best first: the name itself, names that begin so, names with such a word, the rest', async () => {
    await using opened = await open();
    const { save, find } = library(opened.database.queries);
    await save('Modem');
    await save('Modem commands');
    await save('LTE modem');
    await save('A supermodem');
    await save('Router', { description: 'with a modem' });
    await save('Nothing of the kind');
    expect(await find('modem')).toEqual(['Modem', 'Modem commands', 'LTE modem', 'Router', 'A supermodem']);
    expect(await find('lte modem')).toEqual(['LTE modem']);
  });

  it('gives a jkit once whose name has several words that begin so', async () => {
    await using opened = await open();
    const { save, find } = library(opened.database.queries);
    await save('SIMCom modem: set, send, stop');
    expect(await find('s')).toEqual(['SIMCom modem: set, send, stop']);
  });

  it('gives the better rated first among equals, and then the newer', async () => {
    await using opened = await open();
    const { save, rate, find } = library(opened.database.queries);
    const ids = new Map<string, string>();
    for (const name of ['GPS unrated', 'GPS bad', 'GPS once', 'GPS often', 'GPS new']) {
      ids.set(name, await save(name));
    }
    await rate(ids.get('GPS bad') ?? '', 2, 2);
    await rate(ids.get('GPS once') ?? '', 5, 1);
    await rate(ids.get('GPS often') ?? '', 48, 10);
    expect(await find('gps')).toEqual(['GPS often', 'GPS once', 'GPS new', 'GPS unrated', 'GPS bad']);
  });

  it('pages through more than it weighs without gaps or repeats', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const { find } = library(queries);
    const many = Array.from({ length: 700 }, (_, number) => ({
      ...NewJkit.parse({ name: number % 2 === 0 ? `Modem ${number}` : `Device ${number}`, content: '{"fields":[]}' }),
      description: 'a modem',
      shared: number % 7 !== 6,
      publisher: 'maker',
    }));
    await saveManyJkits(queries, many);
    await queries
      .updateTable('jkits')
      .set(({ ref }) => ({ rating_total: sql`${ref('number')} % 5 + 1`, rating_count: 1 }))
      .execute();
    const shared = many.filter((jkit) => jkit.shared).map(({ name }) => name);
    const whole = await find('modem', { limit: 700 });
    expect([...whole].sort()).toEqual(shared.sort());
    const pages: string[] = [];
    for (let skip = 0; skip < 700; skip += 30) {
      pages.push(...(await find('modem', { skip, limit: 30 })));
    }
    expect(pages).toEqual(whole);
    expect(whole.slice(0, 50).every((name) => name.startsWith('Modem'))).toBe(true);
  });

  it('finds every shared jkit by any part of any of its words', async () => {
    await using opened = await open();
    const { save, find } = library(opened.database.queries);
    const word = fc.string({ unit: fc.constantFrom(...'abcÄßΣ9+-#%_\\"\'*Я字é🛠'), minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(word, word, fc.nat(), fc.boolean(), async (name, tag, from, upper) => {
        const label = `${name} ${crypto.randomUUID()}`;
        await save(label.slice(0, 60), { tags: [tag] });
        const characters = [...tag];
        const start = characters.length > 2 ? from % (characters.length - 2) : 0;
        const part = characters.slice(start, start + 3).join('');
        expect(await find(`${upper ? part.toUpperCase() : part} ${label.slice(-36)}`)).toEqual([label.slice(0, 60)]);
      }),
      { numRuns: 60 },
    );
  });

  it('finds nothing for nothing', async () => {
    await using opened = await open();
    const { save, find } = library(opened.database.queries);
    await save('modem');
    expect([await find(''), await find(' \t'), await find('zzz'), await find('z')]).toEqual([[], [], [], []]);
  });
});

describe.runIf(postgres !== null)('search on a PostgreSQL whose user may not create extensions', () => {
  it('finds the same without trigrams', async () => {
    await using place = await createPostgresDatabase(postgres?.url ?? '');
    const role = `${place.name}_user`;
    const administrator = new Client(place.url);
    await administrator.connect();
    await administrator.query(
      `create role ${role} login password 'of-a-test'; grant create on schema public to ${role}`,
    );
    const address = new URL(place.url);
    address.username = role;
    address.password = 'of-a-test';
    const database = await openDatabase({ url: address.href });
    const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(database.queries);
    expect(rows).toEqual([]);
    const { save, find } = library(database.queries);
    await save('SIM7600 Modem', { description: '100% tested' });
    await save('Another one');
    for (const query of ['odem', 'MO', '100%', 'sim tested']) {
      expect(await find(query)).toEqual(['SIM7600 Modem']);
    }
    expect(await find('m_dem')).toEqual([]);
    await database.close();
    await administrator.query(`drop owned by ${role}; drop role ${role}`);
    await administrator.end();
  });
});
