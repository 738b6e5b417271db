import { join } from 'node:path';
import { apiPaths, FeedbackAnswer, FeedbackList, FeedbackStats, feedbackText } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDatabase } from '../../testing/lock-database.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';
import { startTokenIssuer } from '../../testing/token-issuer.ts';

let test: TestApp;

beforeEach(async () => {
  test = await buildTestApp();
});

afterEach(() => test[Symbol.asyncDispose]());

const message = 'The terminal kept every byte of mine';
const body = { email: 'maker@wirebench.example', message };
const admin = { sub: 'subject-of-admin', preferred_username: 'admin', realm_access: { roles: ['user', 'admin'] } };
const reads = [apiPaths.feedback, apiPaths.feedbackStats, apiPaths.feedbackExport];

type Headers = Readonly<Record<string, string>>;

const post = (headers: Headers, payload: unknown = body) =>
  test.app.inject({ method: 'POST', url: apiPaths.feedback, headers, payload: payload as object });
const get = (url: string, headers: Headers = {}) => test.app.inject({ url, headers });
const asAdmin = async (url: string) => get(url, await test.bearer(admin));

describe('sending feedback', () => {
  it('stores a message and answers with it', async () => {
    const answer = await post(await test.bearer(), { email: 'Mina Maker', message: ` ${message} ` });
    expect(answer.statusCode).toBe(201);
    expect(FeedbackAnswer.parse(answer.json())).toEqual({
      data: {
        _id: expect.any(String),
        email: 'Mina Maker',
        message,
        createdAt: new Date(testStart).toISOString(),
      },
    });
  });

  it("takes the token's e-mail, whatever the body says", async () => {
    const answer = await post(await test.bearer({ email: 'real@wirebench.example' }));
    expect(answer.json().data.email).toBe('real@wirebench.example');
  });

  it('drops fields that a client must not set', async () => {
    const answer = await post(await test.bearer(), {
      ...body,
      _id: 'mine',
      createdAt: '1970-01-01T00:00:00.000Z',
      subject: 'subject-of-admin',
      extra: true,
    });
    expect(answer.statusCode).toBe(201);
    expect(Object.keys(answer.json().data)).toEqual(['_id', 'email', 'message', 'createdAt']);
    expect(answer.json().data._id).not.toBe('mine');
    expect(answer.json().data.createdAt).toBe(new Date(testStart).toISOString());
  });

  it.each([
    ['19 characters', 'x'.repeat(19), 400],
    ['19 characters in white space', ` ${'x'.repeat(19)} `, 400],
    ['20 characters', 'x'.repeat(20), 201],
    ['140 characters', 'x'.repeat(140), 201],
    ['140 characters in white space', `\t${'x'.repeat(140)}\n`, 201],
    ['141 characters', 'x'.repeat(141), 400],
  ])('takes messages of 20 to 140 characters without white space around them: %s', async (_name, text, status) => {
    expect((await post(await test.bearer(), { ...body, message: text })).statusCode).toBe(status);
  });

  it.each<[string, unknown, string]>([
    ['an empty message', { ...body, message: ' ' }, feedbackText.empty],
    ['a short one', { ...body, message: 'short' }, feedbackText.tooShort],
    ['a long one', { ...body, message: 'x'.repeat(141) }, feedbackText.tooLong],
    ['a number', { ...body, message: 12 }, feedbackText.empty],
    ['a list', { ...body, message: [message] }, feedbackText.empty],
    ['no e-mail', { message }, 'Please enter an e-mail address'],
    ['a list as body', [body], 'The body must be a JSON object'],
  ])('refuses %s with a sentence and the field', async (_name, payload, sentence) => {
    const answer = await post(await test.bearer(), payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: sentence, message: sentence, code: 'invalid-request' });
    expect(answer.json().issues[0].message).toBe(sentence);
  });

  it('refuses a body that is not JSON, is too large, or has another type', async () => {
    const send = async (type: string, payload: string) =>
      test.app.inject({
        method: 'POST',
        url: apiPaths.feedback,
        headers: { ...(await test.bearer()), 'content-type': type },
        payload,
      });
    const broken = await send('application/json', '{"email":');
    expect([broken.statusCode, broken.json().error]).toEqual([400, 'The body must be a JSON object']);
    const empty = await send('application/json', '');
    expect([empty.statusCode, empty.json().error]).toEqual([400, 'The body must be a JSON object']);
    const large = await send('application/json', JSON.stringify({ ...body, padding: 'x'.repeat(16 * 1_024) }));
    expect([large.statusCode, large.json().code]).toEqual([413, 'body-too-large']);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const other = await send(type, 'email=x');
      expect([other.statusCode, other.json().code]).toEqual([415, 'unsupported-media-type']);
    }
    const polluting = await send('application/json', '{"__proto__":{"admin":true},"email":"x"}');
    expect(polluting.statusCode).toBe(400);
  });

  it('keeps every one of many that arrive together', async () => {
    const headers = await test.bearer();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => post(headers, { ...body, message: `${message} ${number}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.json().data._id)).size).toBe(50);
    expect((await asAdmin(apiPaths.feedbackStats)).json().totalFeedbacks).toBe(50);
  });

  it('stores nothing, and says when to try again, while the database is locked', async () => {
    const lock = await lockDatabase(join(test.dataDir, 'wirebench.sqlite'));
    const answer = await post(await test.bearer());
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
      503,
      '5',
      'database-unavailable',
    ]);
    lock[Symbol.dispose]();
    expect((await asAdmin(apiPaths.feedbackStats)).json().totalFeedbacks).toBe(0);
    expect((await post(await test.bearer())).statusCode).toBe(201);
  });
});

describe('limit on writes', () => {
  it('is per user and minute, and says how long to wait', async () => {
    await using limited = await buildTestApp({ RATE_LIMIT_WRITES: '2' });
    const send = async (sub: string) =>
      limited.app.inject({
        method: 'POST',
        url: apiPaths.feedback,
        headers: await limited.bearer({ sub }),
        payload: body,
      });
    expect([(await send('a')).statusCode, (await send('a')).statusCode]).toEqual([201, 201]);
    const refused = await send('a');
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await send('b')).statusCode).toBe(201);
    const read = await limited.app.inject({
      url: apiPaths.feedback,
      headers: await limited.bearer({ ...admin, sub: 'a' }),
    });
    expect(read.statusCode).toBe(200);
  });

  it('can be switched off', async () => {
    await using unlimited = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
    const headers = await unlimited.bearer();
    for (let call = 0; call < 100; call++) {
      const answer = await unlimited.app.inject({ method: 'POST', url: apiPaths.feedback, headers, payload: body });
      expect(answer.statusCode).toBe(201);
    }
  });
});

describe('access to feedback', () => {
  const refused = { error: 'Please sign in to send feedback', message: 'Please sign in to send feedback' };

  it.each<[string, (signed: string) => Headers]>([
    ['no token', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['nonsense', () => ({ authorization: 'Bearer nonsense' })],
    ['another scheme', (signed) => ({ authorization: `Basic ${signed}` })],
    ['two tokens', (signed) => ({ authorization: `Bearer ${signed} ${signed}` })],
    ['a token in a cookie', (signed) => ({ cookie: `access_token=${signed}` })],
  ])('is refused with %s', async (_name, headersFor) => {
    const headers = headersFor(await test.token(admin));
    for (const answer of [await post(headers), ...(await Promise.all(reads.map((url) => get(url, headers))))]) {
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(answer.json()).toEqual({ ...refused, code: 'feedback-sign-in-required' });
    }
  });

  it('is refused with a token in the address', async () => {
    expect((await get(`${apiPaths.feedback}?access_token=${await test.token(admin)}`)).statusCode).toBe(401);
  });

  it.each<[string, Record<string, unknown>]>([
    ['expired', { exp: testStart / 1_000 - 31 }],
    ['of another issuer', { iss: 'https://id.example.org/realms/wirebench' }],
    ['for another client', { azp: 'another-client' }],
    ['without a subject', { sub: undefined }],
  ])('is refused with a token that is %s', async (_name, claims) => {
    const headers = await test.bearer({ ...admin, ...claims });
    for (const answer of [await post(headers), ...(await Promise.all(reads.map((url) => get(url, headers))))]) {
      expect(answer.statusCode).toBe(401);
    }
  });

  it('is refused with a forged token', async () => {
    await using impostor = await startTokenIssuer();
    const forged = await impostor.sign({
      iss: test.issuer.issuer,
      azp: 'wirebench-web',
      exp: testStart / 1_000 + 300,
      ...admin,
    });
    const headers = { authorization: `Bearer ${forged}` };
    for (const answer of [await post(headers), ...(await Promise.all(reads.map((url) => get(url, headers))))]) {
      expect(answer.statusCode).toBe(401);
    }
  });

  it('is checked before a body is read', async () => {
    const answer = await post({}, { message: 'x' });
    expect(answer.statusCode).toBe(401);
  });

  it('lets every signed-in user write, and only administrators read', async () => {
    for (const roles of [undefined, { roles: [] }, { roles: ['user', 'Admin', 'administrator'] }, { roles: 'admin' }]) {
      const headers = await test.bearer({
        realm_access: roles,
        resource_access: { 'wirebench-web': { roles: ['admin'] } },
      });
      expect((await post(headers)).statusCode).toBe(201);
      for (const url of reads) {
        const answer = await get(url, headers);
        expect([answer.statusCode, answer.json()]).toEqual([
          403,
          {
            error: "Access denied. You don't have permission to view feedback.",
            message: "Access denied. You don't have permission to view feedback.",
            code: 'feedback-access-denied',
          },
        ]);
      }
    }
    for (const url of reads) {
      expect((await asAdmin(url)).statusCode).toBe(200);
    }
  });

  it('uses the role that the deployment names', async () => {
    await using lab = await buildTestApp({ ADMIN_ROLE: 'feedback-reader' });
    const ask = async (role: string) =>
      lab.app.inject({ url: apiPaths.feedback, headers: await lab.bearer({ realm_access: { roles: [role] } }) });
    expect([(await ask('admin')).statusCode, (await ask('feedback-reader')).statusCode]).toEqual([403, 200]);
  });

  it('is refused with 503 while the keys of the provider are away', async () => {
    const headers = await test.bearer();
    await test.issuer[Symbol.asyncDispose]();
    const answer = await post(headers);
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
      503,
      '5',
      'identity-unavailable',
    ]);
  });
});

describe('reading feedback', () => {
  async function send(count: number, email: string) {
    for (let number = 1; number <= count; number++) {
      await post(await test.bearer({ sub: `${email}-${number % 5}`, email }), {
        ...body,
        message: `${message} ${number}`,
      });
      await test.clock.advance(1_000);
    }
  }

  it('gives ten to a page, newest first, and counts the pages', async () => {
    await send(12, 'maker@wirebench.example');
    const first = FeedbackList.parse((await asAdmin(apiPaths.feedback)).json());
    expect(first.data.map((entry) => entry.message)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${message} ${12 - index}`),
    );
    expect(first.pagination).toEqual({ page: 1, limit: 10, total: 12, pages: 2 });
    const second = FeedbackList.parse((await asAdmin(`${apiPaths.feedback}?page=2&limit=10`)).json());
    expect(second.data.map((entry) => entry.message)).toEqual([`${message} 2`, `${message} 1`]);
    expect(FeedbackList.parse((await asAdmin(`${apiPaths.feedback}?page=3`)).json()).data).toEqual([]);
  });

  it('filters by the exact address in any case, and not at all by an empty one', async () => {
    await send(2, 'maker@wirebench.example');
    await send(1, 'tinkerer@wirebench.example');
    const total = async (email: string) =>
      (await asAdmin(`${apiPaths.feedback}?email=${encodeURIComponent(email)}`)).json().pagination.total;
    expect(await total('MAKER@Wirebench.example')).toBe(2);
    expect(await total('maker')).toBe(0);
    expect(await total('')).toBe(3);
  });

  it.each(['page=0', 'page=-1', 'page=two', 'page=1.5', 'limit=0', 'limit=101', 'page=1000001', 'email=a&email=b'])(
    'refuses ?%s',
    async (query) => {
      const answer = await asAdmin(`${apiPaths.feedback}?${query}`);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid-request']);
    },
  );

  it("counts all, the caller's today, and senders", async () => {
    await send(2, 'maker@wirebench.example');
    await test.clock.advance(12 * 3_600_000);
    await send(1, 'MAKER@wirebench.example');
    await send(1, 'tinkerer@wirebench.example');
    const stats = async (query: string) =>
      FeedbackStats.parse((await asAdmin(`${apiPaths.feedbackStats}${query}`)).json());
    expect(await stats('')).toEqual({ totalFeedbacks: 4, todayFeedbacks: 2, uniqueEmails: 2 });
    expect(await stats('?timeZone=America/Los_Angeles')).toMatchObject({ todayFeedbacks: 4 });
    expect((await asAdmin(`${apiPaths.feedbackStats}?timeZone=Nowhere`)).statusCode).toBe(400);
  });

  it('exports CSV that a spreadsheet opens without running anything', async () => {
    await post(await test.bearer(), {
      email: '=HYPERLINK("https://evil.example")',
      message: '@SUM(1+1), and a "quote"\r\n',
    });
    const answer = await asAdmin(apiPaths.feedbackExport);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="feedbacks-export-2026-11-20.csv"');
    const [head, record, end] = answer.body.split('\r\n');
    expect(head).toBe('_id,email,message,createdAt');
    expect(record).toMatch(
      /^[\da-f-]{36},"'=HYPERLINK\(""https:\/\/evil\.example""\)","'@SUM\(1\+1\), and a ""quote""",2026-11-20T12:00:00\.000Z$/,
    );
    expect(end).toBe('');
  });

  it('exports what the filter lets through, to the last one', async () => {
    await send(11, 'maker@wirebench.example');
    await send(1, 'tinkerer@wirebench.example');
    const count = async (query: string) =>
      (await asAdmin(`${apiPaths.feedbackExport}${query}`)).body.split('\r\n').length - 2;
    expect(await count('')).toBe(12);
    expect(await count('?email=Tinkerer@wirebench.example')).toBe(1);
  });
});
