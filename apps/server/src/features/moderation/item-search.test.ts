import { accountPaths, moderationPaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { callApi } from '../../testing/api-user.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { operatorOf } from '../../testing/moderation.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { feedbackRepository } from '../feedback/feedback.repository.ts';

/** Names of items, each with the queries that have to find it. */
const NAMES: readonly (readonly [name: string, ...queries: readonly string[]])[] = [
  ['Straße', 'Straße', 'STRASSE', 'strasse', 'straẞe', 'tras'],
  ['my  board', 'my  board', 'my board', 'MY \t BOARD', ' board '],
  ['ΟΔΟΣ', 'ΟΔΟΣ', 'οδος', 'οδοσ'],
  ['ΟΔΟΣ Α', 'ΟΔΟΣ', 'οδοσ α'],
  ['Cafe\u0301', 'Café', 'CAFÉ', 'cafe\u0301'],
  ['Ｗｉｄｅ', 'wide', 'WIDE', 'ｗｉｄｅ'],
  ['ﬁrmware', 'firmware', 'FIRM'],
  ['100%_\\', '100%_\\', '%_'],
];

describe.each(databaseKinds)('an operator on $name', ({ appPlace, open }) => {
  it('finds projects, versions and JKits in any way of writing their names', async () => {
    await using place = await appPlace();
    await using test = await buildTestApp({
      RATE_LIMIT_WRITES: '0',
      LIMIT_PROJECTS: '100',
      LIMIT_JKITS: '100',
      ...place.environment,
    });
    const operator = await operatorOf(test);
    const headers = await test.bearer();
    const client = releaseClient(test.app, headers);
    for (const [name] of NAMES) {
      const { _id } = await client.newProject(name);
      const version = await client.newVersion(_id, { version: 'V1.0' });
      await client.setProjectPublic(_id, true);
      await client.setVersionPublic(version._id, true);
      await callApi(test, headers, 'POST', '/api/jkits', { name, content: '{"fields":["AT"]}', shared: true });
    }
    for (const type of ['project', 'version', 'jkit']) {
      for (const [name, ...queries] of NAMES) {
        const stored = type === 'version' ? `${name} V1.0` : name;
        for (const q of queries) {
          const items = await operator.items(`type=${type}&q=${encodeURIComponent(q)}`);
          expect([type, q, items.map((item) => item.name)]).toEqual([type, q, expect.arrayContaining([stored])]);
        }
      }
      expect(await operator.items(`type=${type}&q=nothing`)).toEqual([]);
    }
    const [version] = await operator.items(`type=version&q=${encodeURIComponent('strasse v1')}`);
    expect(version?.name).toBe('Straße V1.0');
  });

  it('finds people in any way of writing their public names', async () => {
    await using place = await appPlace();
    await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...place.environment });
    const operator = await operatorOf(test);
    const people: readonly (readonly [string, ...string[]])[] = [
      ['ΟΔΟΣ Α', 'ΟΔΟΣ', 'οδοσ', 'ΟΔΟΣΑ'],
      ['Großmann', 'GROSSMANN', 'großmann', 'grossm'],
    ];
    for (const [index, [name, ...queries]] of people.entries()) {
      const headers = await test.bearer({ sub: `subject-${index}`, preferred_username: `name-${index}` });
      expect((await callApi(test, headers, 'PUT', accountPaths.publicName, { publicName: name })).status).toBe(200);
      for (const q of queries) {
        const { body } = await operator.get(`${moderationPaths.accounts}?q=${encodeURIComponent(q)}`);
        expect([q, body.accounts.map((account: { publicName: string }) => account.publicName)]).toEqual([q, [name]]);
      }
    }
  });

  it('filters feedback by a sender in any way of writing the name', async () => {
    await using opened = await open();
    const repository = feedbackRepository(opened.database.queries);
    for (const [name] of NAMES) {
      await repository.insert({ email: name, message: name, subject: 's', createdAt: '2026-11-20T12:00:00.000Z' });
    }
    for (const [name, ...queries] of NAMES.slice(0, 3)) {
      for (const email of queries.slice(0, 3)) {
        expect([email, await repository.count(email)]).toEqual([email, 1]);
        expect((await repository.page({ email, offset: 0, limit: 9 }))[0]?.message).toBe(name);
      }
    }
  });
});
