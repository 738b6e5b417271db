import { DatabaseSync } from 'node:sqlite';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { endSessionsOf, fromEntryWithUid } from './entry-table.ts';
import { sqliteAdapters } from './sqlite-adapter.ts';

function open(start = 1_000_000) {
  const database = new DatabaseSync(':memory:');
  const clock = new VirtualClock(start);
  const rows = () => Number(database.prepare('select count(*) as n from entry').get()?.['n']);
  return { database, clock, adapters: sqliteAdapters(database, clock), rows };
}

describe('storage of the embedded provider', () => {
  it('finds a stored entry by id and by uid, and keeps models apart', async () => {
    const { adapters } = open();
    await adapters('Session').upsert('1', { uid: 'u', accountId: 'maker' }, 60);
    await adapters('Session').upsert('1', { uid: 'u', accountId: 'admin' }, 60);
    expect(await adapters('Session').find('1')).toEqual({ uid: 'u', accountId: 'admin' });
    expect(await adapters('Session').findByUid('u')).toEqual({ uid: 'u', accountId: 'admin' });
    expect(await adapters('Interaction').find('1')).toBeUndefined();
    await adapters('Session').destroy('1');
    expect(await adapters('Session').find('1')).toBeUndefined();
  });

  it('no longer finds an expired entry', async () => {
    const { adapters, clock } = open();
    await adapters('AuthorizationCode').upsert('c', { accountId: 'maker' }, 60);
    await clock.advance(59_000);
    expect(await adapters('AuthorizationCode').find('c')).toBeDefined();
    await clock.advance(1_000);
    expect(await adapters('AuthorizationCode').find('c')).toBeUndefined();
  });

  it('marks a code as used', async () => {
    const { adapters } = open(5_000_000);
    await adapters('AuthorizationCode').upsert('c', { accountId: 'maker' }, 60);
    await adapters('AuthorizationCode').consume('c');
    expect(await adapters('AuthorizationCode').find('c')).toEqual({ accountId: 'maker', consumed: 5_000 });
  });

  it('revokes every token of a grant, only in the given model', async () => {
    const { adapters } = open();
    await adapters('RefreshToken').upsert('1', { grantId: 'g' }, 60);
    await adapters('RefreshToken').upsert('2', { grantId: 'g' }, 60);
    await adapters('RefreshToken').upsert('3', { grantId: 'other' }, 60);
    await adapters('RefreshToken').revokeByGrantId('g');
    expect(await adapters('RefreshToken').find('1')).toBeUndefined();
    expect(await adapters('RefreshToken').find('2')).toBeUndefined();
    expect(await adapters('RefreshToken').find('3')).toBeDefined();
  });

  it('does not grow with unfinished logins', async () => {
    const { adapters, clock, rows } = open();
    for (let login = 0; login < 1_000; login++) {
      await adapters('Interaction').upsert(String(login), {}, 60);
      await clock.advance(60_000);
    }
    expect(rows()).toBeLessThanOrEqual(101);
  });

  it('removes entries that expired while the server was off', async () => {
    const { adapters, clock, database, rows } = open();
    await adapters('Session').upsert('1', { uid: 'u' }, 60);
    await clock.advance(3_600_000);
    expect(rows()).toBe(1);
    sqliteAdapters(database, clock);
    expect(rows()).toBe(0);
  });

  it('keeps the newest thousand unfinished sign-ins and every session of an account', async () => {
    const { adapters, clock } = open();
    await adapters('Session').upsert('person', { uid: 'u', accountId: 'maker', loginTs: 1_000 }, 3_600);
    for (let number = 0; number < 1_010; number++) {
      await clock.advance(1_000);
      await adapters('Interaction').upsert(`${number}`, { params: {} }, 3_600);
      await adapters('Session').upsert(`anonymous ${number}`, { uid: `${number}` }, 3_600);
    }
    expect(await adapters('Interaction').find('9')).toBeUndefined();
    expect(await adapters('Interaction').find('10')).toBeDefined();
    expect(await adapters('Session').find('anonymous 9')).toBeUndefined();
    expect(await adapters('Session').find('anonymous 1009')).toBeDefined();
    expect(await adapters('Session').findByUid('u')).toBeDefined();
  });

  it('finds a session by its uid without reading every session, as each request needs it', () => {
    const { database } = open();
    const [step] = database.prepare(`explain query plan select payload ${fromEntryWithUid}`).all('Session', 'u');
    expect(step?.['detail']).toBe('SEARCH entry USING INDEX entry_uid (model=? AND uid=?)');
  });

  it('does not find the session of an account after it has ended, by id or by uid', async () => {
    const database = new DatabaseSync(':memory:');
    const adapters = sqliteAdapters(database, new VirtualClock(0), ({ signedInAt }) => signedInAt < 1_000);
    await adapters('Session').upsert('before', { uid: 'b', accountId: 'me', loginTs: 999 }, 60);
    await adapters('Session').upsert('after', { uid: 'a', accountId: 'me', loginTs: 1_000 }, 60);
    expect([await adapters('Session').find('before'), await adapters('Session').findByUid('b')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await adapters('Session').find('after')).toBeDefined();
  });

  it('migrates a table of a version without accounts', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`create table entry (
      model text not null, id text not null, payload text not null, grant_id text, uid text, expires_at integer,
      primary key (model, id)) strict, without rowid`);
    database.exec(`insert into entry values ('Session', '1', '{"uid":"u","accountId":"maker"}', null, 'u', 9000000)`);
    const adapters = sqliteAdapters(database, new VirtualClock(0));
    sqliteAdapters(database, new VirtualClock(0));
    expect(await adapters('Session').find('1')).toEqual({ uid: 'u', accountId: 'maker' });
    endSessionsOf(database, 'tinkerer');
    expect(await adapters('Session').find('1')).toBeDefined();
    endSessionsOf(database, 'maker');
    expect(await adapters('Session').find('1')).toBeUndefined();
  });
});
