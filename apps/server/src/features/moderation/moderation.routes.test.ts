import {
  apiPaths,
  firmwarePaths,
  jkitPaths,
  type ModeratedAccount,
  moderationPaths,
  picturePaths,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callApi } from '../../testing/api-user.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { operatorOf, publisherIn, report } from '../../testing/moderation.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';

let database: DatabasePlace;
let test: TestApp;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let maker: Awaited<ReturnType<typeof publisherIn>>;

const ids = () => ({ project: maker.project._id, version: maker.version._id, jkit: maker.jkit._id });
const handles = () => ({ project: maker.project.shareId, version: maker.version.shareId, jkit: maker.jkit._id });

/** Returns every public address of a release. */
function addressesOf(type: 'project' | 'version'): readonly string[] {
  const shareId = handles()[type];
  return [
    sharedFirmwarePaths.item(type, shareId),
    sharedFirmwarePaths.manifest(type, shareId),
    sharedFirmwarePaths.badge(type, shareId),
    picturePaths.shared(type, shareId, 'light'),
    sharedFirmwarePaths.file(type, shareId, maker.version.files[0]?._id ?? ''),
  ];
}

const linksOf = (type: 'project' | 'version' | 'jkit') =>
  type === 'jkit' ? [jkitPaths.jkit(maker.jkit._id)] : addressesOf(type);

/** Returns the answers for a stranger whose browser has an older copy. */
async function seenAt(links: readonly string[]) {
  const answers = await Promise.all(
    links.map((url) => test.app.inject({ url, headers: { 'if-none-match': '"an older one"' } })),
  );
  return [...new Set(answers.map(({ statusCode, body }) => (statusCode < 300 ? statusCode : JSON.parse(body).code)))];
}

async function found(q: string): Promise<number> {
  const { headers } = await publisherHeaders('searcher');
  return (await callApi(test, headers, 'GET', `${jkitPaths.search}?q=${q}`)).body.data.filter(
    ({ publisher }: { publisher: string }) => publisher !== 'wirebench',
  ).length;
}

const publisherHeaders = async (name: string) => ({
  headers: await test.bearer({ sub: `subject-of-${name}`, preferred_username: name }),
});

describe.each(databaseKinds)('moderation on $name', ({ appPlace }) => {
  beforeEach(async () => {
    database = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...database.environment });
    operator = await operatorOf(test);
    maker = await publisherIn(test);
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  describe.each(['project', 'version', 'jkit'] as const)('a report of a %s', (type) => {
    it('from any sender is read by the operator, who can act on it or dismiss it', async () => {
      const answer = await report(test, { type, id: handles()[type], reason: 'harmful', note: ' It bricks boards ' });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      const [entry] = await operator.reports();
      expect(entry).toMatchObject({
        type,
        itemId: ids()[type],
        reason: 'harmful',
        note: 'It bricks boards',
        item: { _id: ids()[type], publisher: 'maker', withheld: null, account: { isBlocked: false } },
      });
      const dismissed = await operator.post(moderationPaths.dismissReports(type, ids()[type]), 'Nothing wrong with it');
      expect(dismissed.status).toBe(204);
      expect(await operator.reports()).toEqual([]);
      expect(await seenAt(linksOf(type))).toEqual([200]);
      expect((await operator.audit()).map(({ action, reason }) => [action, reason])).toEqual([
        ['reports-dismissed', 'Nothing wrong with it'],
      ]);
      expect((await operator.post(moderationPaths.dismissReports(type, ids()[type]))).status).toBe(404);
    });

    it('is answered with 404 for an item that is private, deleted or unknown', async () => {
      const privately = await callApi(test, maker.headers, 'PUT', jkitPaths.jkit(maker.jkit._id), { shared: false });
      expect(privately.status).toBe(200);
      await maker.client.setProjectPublic(maker.project._id, false);
      for (const id of [handles()[type], 'A'.repeat(22), '01990000-0000-7000-8000-000000000000']) {
        const answer = await report(test, { type, id, reason: 'spam' });
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
      }
      expect(await operator.reports()).toEqual([]);
    });
  });

  describe.each(['project', 'version', 'jkit'] as const)('a %s that is taken down', (type) => {
    it('is hidden from everyone at once, and its link says so', async () => {
      expect(await seenAt(linksOf(type))).toEqual([200]);
      await report(test, { type, id: handles()[type], reason: 'malware' });
      const answer = await operator.takeDown(type, ids()[type], 'Steals passwords');
      expect(answer).toMatchObject({
        status: 200,
        body: { item: { withheld: { by: 'taken-down', reason: 'Steals passwords' } } },
      });
      expect(await seenAt(linksOf(type))).toEqual(['taken-down']);
      const [link = ''] = linksOf(type);
      const visitor = await callApi(test, {}, 'GET', link);
      expect([visitor.status, JSON.stringify(visitor.body)]).toEqual([410, expect.not.stringContaining('Steals')]);
      expect(await operator.reports()).toEqual([]);
      expect((await report(test, { type, id: handles()[type], reason: 'spam' })).json().code).toBe('taken-down');
      expect((await operator.audit())[0]).toMatchObject({
        action: 'taken-down',
        by: 'ada@operators.example',
        reason: 'Steals passwords',
        at: new Date(testStart).toISOString(),
      });
    });

    it('is shown to its owner with the reason, and cannot be made public again', async () => {
      await operator.takeDown(type, ids()[type], 'Steals passwords');
      const withheld = { by: 'taken-down', reason: 'Steals passwords' };
      if (type === 'jkit') {
        const own = await callApi(test, maker.headers, 'GET', jkitPaths.jkit(maker.jkit._id));
        expect(own.body.data).toMatchObject({ shared: false, withheld });
        const again = await callApi(test, maker.headers, 'PUT', jkitPaths.jkit(maker.jkit._id), { shared: true });
        expect([again.status, again.body.code]).toEqual([409, 'own-taken-down']);
      } else {
        const [project] = await maker.client.projects();
        const item = type === 'project' ? project : project?.versions[0];
        expect(item).toMatchObject({ isPublic: false, withheld });
        const set = type === 'project' ? maker.client.setProjectPublic : maker.client.setVersionPublic;
        const again = await set(ids()[type], true);
        expect([again.statusCode, again.json().code]).toEqual([409, 'own-taken-down']);
        expect(again.json().error).toContain('Steals passwords');
      }
      expect(await seenAt(linksOf(type))).toEqual(['taken-down']);
    });

    it('is unchanged after it is restored', async () => {
      await operator.takeDown(type, ids()[type]);
      const restored = await operator.restore(type, ids()[type]);
      expect(restored).toMatchObject({ status: 200, body: { item: { withheld: null } } });
      expect(await seenAt(linksOf(type))).toEqual([200]);
      expect((await operator.audit()).map(({ action }) => action)).toEqual(['restored', 'taken-down']);
      if (type === 'jkit') {
        expect(await found('modem')).toBe(1);
      }
    });

    it('is listed with what is public, by name and by publisher', async () => {
      await operator.takeDown(type, ids()[type]);
      for (const q of ['', type === 'jkit' ? 'ODEM' : 'eath', 'maker']) {
        const items = await operator.items(`type=${type}&q=${q}`);
        const ofPeople = items.filter(({ publisher }) => publisher !== 'wirebench');
        expect(ofPeople).toMatchObject([{ _id: ids()[type], withheld: { by: 'taken-down' } }]);
        // The releases of the probe can be taken down too. The product's jkits cannot.
        expect([q, items.length > ofPeople.length]).toEqual([q, q === '' && type !== 'jkit']);
      }
      expect(await operator.items(`type=${type}&q=%25`)).toEqual([]);
    });

    it('can still be deleted by its owner', async () => {
      await operator.takeDown(type, ids()[type]);
      const path = {
        project: firmwarePaths.project,
        version: firmwarePaths.version,
        jkit: jkitPaths.jkit,
      }[type](ids()[type]);
      expect((await maker.client.remove(path)).statusCode).toBe(204);
      expect(await seenAt(linksOf(type).slice(0, 1))).toEqual(['not-found']);
    });
  });

  it('a version of a project that is taken down says so too, and a private one stays unknown', async () => {
    const hidden = await maker.client.newVersion(maker.project._id, { version: '2.0.0' });
    await operator.takeDown('project', maker.project._id);
    expect(await seenAt(addressesOf('version'))).toEqual(['taken-down']);
    expect(await seenAt([sharedFirmwarePaths.item('version', hidden.shareId)])).toEqual(['not-found']);
  });

  it('a jkit that is taken down is found by no search and is in no list of stars', async () => {
    const { headers } = await publisherHeaders('fan');
    await callApi(test, headers, 'POST', jkitPaths.star(maker.jkit._id));
    const starred = async () => (await callApi(test, headers, 'GET', jkitPaths.starred)).body.data.length;
    expect([await found('modem'), await starred()]).toEqual([1, 1]);
    await operator.takeDown('jkit', maker.jkit._id);
    expect([await found('modem'), await starred()]).toEqual([0, 0]);
    await operator.restore('jkit', maker.jkit._id);
    expect([await found('modem'), await starred()]).toEqual([1, 1]);
  });

  it('private items and those of the product cannot be taken down', async () => {
    await maker.client.setProjectPublic(maker.project._id, false);
    expect((await operator.takeDown('project', maker.project._id)).status).toBe(404);
    const { body } = await callApi(test, maker.headers, 'GET', `${jkitPaths.search}?q=at`);
    expect((await operator.takeDown('jkit', body.data[0]._id)).status).toBe(404);
    expect(await operator.audit()).toEqual([]);
  });

  describe('an account that is blocked', () => {
    const accountId = async () => (await operator.items('type=project&q='))[0]?.account?._id ?? '';
    const blockMaker = async () => operator.post(moderationPaths.block(await accountId()), 'Sells stolen firmware');
    const everything = () => [...addressesOf('project'), ...addressesOf('version'), ...linksOf('jkit')];

    it('shares nothing any more, and learns why when it tries', async () => {
      expect(await blockMaker()).toMatchObject({ status: 200, body: { account: { publicName: 'maker' } } });
      expect(await seenAt(everything())).toEqual(['taken-down']);
      expect(await found('modem')).toBe(0);
      const project = await maker.client.newProject('Second');
      const refused = await maker.client.setProjectPublic(project._id, true);
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'sharing-blocked']);
      expect(refused.json().error).toContain('Sells stolen firmware');
      const jkit = { name: 'x', content: '{"fields":["AT"]}', shared: true };
      expect((await callApi(test, maker.headers, 'POST', jkitPaths.jkits, jkit)).body.code).toBe('sharing-blocked');
      const account = await callApi(test, maker.headers, 'GET', '/api/account');
      expect(account.body.account.blocked).toEqual({ reason: 'Sells stolen firmware' });
    });

    it('has no working token from the next call on', async () => {
      const { secret } = (await maker.client.post('/api/tokens', { name: 'CI', projectId: maker.project._id })).json();
      const use = () => callApi(test, { authorization: `Bearer ${secret}` }, 'GET', firmwarePaths.projects);
      expect((await use()).status).toBe(200);
      await blockMaker();
      expect(await use()).toMatchObject({ status: 401, body: { code: 'token-owner-blocked' } });
      await operator.post(moderationPaths.unblock(await accountId()));
      expect((await use()).status).toBe(200);
    });

    it('shares everything again after it is unblocked, except what was taken down', async () => {
      await operator.takeDown('jkit', maker.jkit._id);
      await blockMaker();
      await operator.post(moderationPaths.unblock(await accountId()), 'A mistake');
      expect(await seenAt(addressesOf('project'))).toEqual([200]);
      expect(await seenAt(linksOf('jkit'))).toEqual(['taken-down']);
      expect((await operator.audit()).map(({ action, what }) => [action, what])).toEqual([
        ['unblocked', 'maker'],
        ['blocked', 'maker'],
        ['taken-down', 'Modem'],
      ]);
    });

    it('gets nothing back that is restored while it is blocked', async () => {
      await operator.takeDown('jkit', maker.jkit._id);
      await blockMaker();
      await operator.restore('jkit', maker.jkit._id);
      expect(await seenAt(linksOf('jkit'))).toEqual(['taken-down']);
      await operator.post(moderationPaths.unblock(await accountId()));
      expect(await seenAt(linksOf('jkit'))).toEqual([200]);
    });

    it('cannot publish anything at the moment it is blocked', async () => {
      const project = await maker.client.newProject('Second');
      const id = await accountId();
      await Promise.all([
        maker.client.setProjectPublic(project._id, true),
        operator.post(moderationPaths.block(id)),
        callApi(test, maker.headers, 'PUT', jkitPaths.jkit(maker.jkit._id), { shared: true }),
      ]);
      expect(await seenAt([sharedFirmwarePaths.item('project', project.shareId), ...linksOf('jkit')])).not.toContain(
        200,
      );
    });

    it('is listed as blocked, among all accounts by name, with the roles of their last visit', async () => {
      await blockMaker();
      const list = async (query: string) =>
        (await operator.get(`${moderationPaths.accounts}?${query}`)).body.accounts.map(
          ({ publicName, role, blocked }: ModeratedAccount) => [publicName, role, blocked !== null],
        );
      const [blocked, admin] = [
        ['maker', 'user', true],
        ['operator', 'admin', false],
      ];
      expect(await list('')).toEqual([blocked, admin]);
      expect(await list('state=blocked')).toEqual([blocked]);
      expect(await list('q=MAK')).toEqual([blocked]);
      expect(await list('q=oper')).toEqual([admin]);
      expect(await list('q=oper&state=blocked')).toEqual([]);
      expect(await list('limit=1&skip=1')).toEqual([admin]);
      expect((await operator.get(`${moderationPaths.accounts}?state=odd`)).status).toBe(400);
    });

    it('is found by its sign-in name and e-mail address, which operators see', async () => {
      const claims = { sub: 'subject-of-kim', preferred_username: 'kim.lab', email: 'Kim@lab.example' };
      const headers = await test.bearer(claims);
      await callApi(test, headers, 'PUT', '/api/account/public-name', { publicName: 'Night Owl' });
      for (const q of ['owl', 'KIM.L', 'lab.example', 'kim%40lab']) {
        const { accounts } = (await operator.get(`${moderationPaths.accounts}?q=${q}`)).body;
        expect(accounts, q).toMatchObject([
          { publicName: 'Night Owl', signInName: 'kim.lab', email: 'Kim@lab.example' },
        ]);
        expect(accounts[0]).not.toHaveProperty('isYou');
      }
      expect((await operator.get(`${moderationPaths.accounts}?q=labkim`)).body.accounts).toEqual([]);
    });

    it('cannot be blocked if it is the operator’s own', async () => {
      const [own] = (await operator.get(`${moderationPaths.accounts}?q=operator`)).body.accounts;
      expect(own).toMatchObject({ isYou: true, blocked: null });
      const answer = await operator.post(moderationPaths.block(own._id));
      expect([answer.status, answer.body.code]).toEqual([409, 'own-account']);
      expect((await operator.get(moderationPaths.accounts)).body.accounts).toMatchObject([
        { publicName: 'maker' },
        { publicName: 'operator', blocked: null },
      ]);
    });

    it('is shown with its new role after the provider has given it one', async () => {
      const claims = { sub: 'subject-of-maker', preferred_username: 'maker', realm_access: { roles: ['admin'] } };
      await test.clock.advance(61_000);
      await callApi(test, await test.bearer(claims), 'GET', firmwarePaths.projects);
      await expect
        .poll(async () => (await operator.get(`${moderationPaths.accounts}?q=maker`)).body.accounts[0].role)
        .toBe('admin');
    });
  });

  it('tokens of an account can be revoked together', async () => {
    const { secret } = (await maker.client.post('/api/tokens', { name: 'CI', projectId: maker.project._id })).json();
    const id = (await operator.items('type=project'))[0]?.account?._id ?? '';
    const answer = await operator.post(moderationPaths.revokeTokens(id), 'Leaked');
    expect(answer.body.account.tokens).toBe(0);
    const used = await callApi(test, { authorization: `Bearer ${secret}` }, 'GET', firmwarePaths.projects);
    expect(used.status).toBe(401);
    expect((await operator.audit())[0]).toMatchObject({ action: 'tokens-revoked', what: 'maker', reason: 'Leaked' });
  });

  it('a feedback can be deleted, and its text is in no answer afterwards', async () => {
    const message = 'Insults that nobody should have to read';
    const sent = await callApi(test, maker.headers, 'POST', apiPaths.feedback, { email: 'a@b.example', message });
    const path = moderationPaths.deleteFeedback(sent.body.data._id);
    expect((await operator.post(path, 'Insults')).status).toBe(204);
    expect((await operator.get(apiPaths.feedback)).body.data).toEqual([]);
    expect((await operator.post(path)).status).toBe(404);
    const audit = await operator.audit();
    expect(audit).toMatchObject([{ action: 'feedback-deleted', reason: 'Insults' }]);
    expect(JSON.stringify(audit)).not.toContain('nobody should');
  });

  it('counts the entries of its lists', async () => {
    await report(test, { type: 'project', id: handles().project, reason: 'spam' });
    await operator.takeDown('jkit', ids().jkit, 'x');
    expect((await operator.get(moderationPaths.counts)).body).toEqual({
      reports: 1,
      feedback: 0,
      accounts: 2,
      audit: 1,
    });
  });

  it('reads the state of the server, with what is misconfigured', async () => {
    const { status, body } = await operator.get(moderationPaths.state);
    expect(status).toBe(200);
    const isSqlite = database.environment['DATABASE_URL'] === undefined;
    expect(body).toMatchObject({
      startedAt: new Date(testStart).toISOString(),
      database: { kind: isSqlite ? 'sqlite' : 'postgres', version: expect.stringMatching(/^\d+\./) },
      files: { kind: 'folder', answers: true },
      backup: { isOwn: isSqlite, last: null },
    });
    expect(body.database.size).toBeGreaterThan(10_000);
    expect(body.disk.free).toBeGreaterThan(0);
    expect(body.disk.size).toBeGreaterThanOrEqual(body.disk.free);
    const texts = body.warnings.map(({ text }: { text: string }) => text);
    expect(texts).toContain('Nothing limits how much a user writes: RATE_LIMIT_WRITES is 0.');
    expect(texts.includes('There is no backup of this server.')).toBe(isSqlite);
    expect(texts.includes('Shared benches work only while this is the only process on the database.')).toBe(!isSqlite);
  });

  it('is allowed only to users with the configured role, whatever other roles they have', async () => {
    const id = maker.project._id;
    const calls = [
      ['GET', moderationPaths.reports],
      ['GET', moderationPaths.items],
      ['GET', moderationPaths.accounts],
      ['GET', moderationPaths.audit],
      ['GET', moderationPaths.counts],
      ['GET', moderationPaths.state],
      ...(['project', 'version', 'jkit'] as const).flatMap((type) => [
        ['POST', moderationPaths.takeDown(type, ids()[type])] as const,
        ['POST', moderationPaths.restore(type, ids()[type])] as const,
        ['POST', moderationPaths.dismissReports(type, ids()[type])] as const,
      ]),
      ['POST', moderationPaths.block(id)],
      ['POST', moderationPaths.unblock(id)],
      ['POST', moderationPaths.revokeTokens(id)],
      ['POST', moderationPaths.deleteFeedback(id)],
    ] as const;
    const { secret } = (await maker.client.post('/api/tokens', { name: 'CI', projectId: id })).json();
    for (const [method, url] of calls) {
      const body = method === 'POST' ? { reason: 'x' } : undefined;
      const status = async (headers: Record<string, string>) =>
        (await callApi(test, headers, method, url, body)).body.code;
      expect([
        url,
        await status({}),
        await status({ authorization: `Bearer ${secret}` }),
        await status(maker.headers),
        await status(await test.bearer({ sub: 'other', realm_access: { roles: ['Admin', 'administrator'] } })),
      ]).toEqual([
        url,
        'moderation-sign-in-required',
        'moderation-sign-in-required',
        'moderation-access-denied',
        'moderation-access-denied',
      ]);
    }
    expect(await seenAt(addressesOf('project'))).toEqual([200]);
  });

  it('does nothing without a reason', async () => {
    const path = moderationPaths.takeDown('project', maker.project._id);
    const reasons = [undefined, '', ' ', 'x'.repeat(301), 'a\nb', 7];
    for (const reason of reasons) {
      const answer = await callApi(test, operator.headers, 'POST', path, { reason });
      expect([reason, answer.status, answer.body.code]).toEqual([reason, 400, 'invalid-request']);
      expect([reason, await seenAt(addressesOf('project'))]).toEqual([reason, [200]]);
    }
    expect(await operator.audit()).toEqual([]);
  });
});

it('the role that opens the dashboard reaches the web app', async () => {
  await using other = await buildTestApp({ ADMIN_ROLE: 'bench keepers' });
  expect((await other.app.inject(apiPaths.config)).json().adminRole).toBe('bench keepers');
  const headers = await other.bearer({ realm_access: { roles: ['admin'] } });
  expect((await callApi(other, headers, 'GET', moderationPaths.audit)).status).toBe(403);
  const keeper = await other.bearer({ realm_access: { roles: ['bench keepers'] } });
  expect((await callApi(other, keeper, 'GET', moderationPaths.audit)).status).toBe(200);
});
