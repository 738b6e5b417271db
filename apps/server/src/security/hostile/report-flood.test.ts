/** A client reports a release over and over, from one address or many, with texts that are not meant to be read. */
import { moderationLimits, sharedFirmwarePaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorOf, publisherIn, report } from '../../testing/moderation.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
let shareId: string;

beforeEach(async () => {
  test = await buildTestApp();
  shareId = (await publisherIn(test)).project.shareId;
});

afterEach(() => test[Symbol.asyncDispose]());

const spam = (more: object = {}) => ({ type: 'project', id: shareId, reason: 'spam', ...more });

describe('a flood of reports', () => {
  it('from one address is limited, and another address is accepted', async () => {
    const answers = [];
    for (let number = 0; number < 40; number++) {
      answers.push(await report(test, spam()));
    }
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(35);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await report(test, spam(), '192.0.2.2')).statusCode).toBe(204);
  });

  it('from one IPv6 network counts as one address', async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++) {
      statuses.push((await report(test, spam(), `2001:db8:1:2:${host.toString(16)}::1`)).statusCode);
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(5);
    expect((await report(test, spam(), '2001:db8:1:3::1')).statusCode).toBe(204);
  });

  it('from many networks leaves at most one page of reports, and the release unchanged', async () => {
    for (let network = 0; network < 60; network++) {
      expect((await report(test, spam(), `2001:db8:0:${network.toString(16)}::1`)).statusCode).toBe(204);
    }
    const operator = await operatorOf(test);
    expect(await operator.reports()).toHaveLength(moderationLimits.openReports);
    expect((await test.app.inject(sharedFirmwarePaths.item('project', shareId))).statusCode).toBe(200);
  });

  it('does not rebuild the answers of the release', async () => {
    const read = () => test.app.inject(sharedFirmwarePaths.item('project', shareId));
    const { etag } = (await read()).headers;
    for (let network = 0; network < 10; network++) {
      await report(test, spam(), `2001:db8:0:${network.toString(16)}::1`);
    }
    const again = await test.app.inject({
      url: sharedFirmwarePaths.item('project', shareId),
      headers: { 'if-none-match': String(etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});

describe('a report', () => {
  it.each([
    ['a note of megabytes', { note: 'x'.repeat(2_000_000) }, 413],
    ['a note that is too long', { note: 'x'.repeat(501) }, 400],
    ['a note with a NUL', { note: 'a\u0000b' }, 400],
    ['a note that is no text', { note: { $ne: null } }, 400],
    ['a reason of its own', { reason: '<script>alert(1)</script>' }, 400],
    ['a reason of every object', { reason: 'constructor' }, 400],
    ['another type', { type: 'account' }, 400],
    ['a path for an id', { id: '../../admin' }, 400],
    ['an id of thousands of characters', { id: 'A'.repeat(5_000) }, 400],
  ])('with %s is refused', async (_what, more, status) => {
    const answer = await report(test, spam(more));
    expect(answer.statusCode).toBe(status);
    expect(await (await operatorOf(test)).reports()).toEqual([]);
  });

  it('keeps hostile text unchanged, and answers only JSON', async () => {
    const note = `</script><img src=x onerror=alert(1)> '; drop table reports; -- \u202e =cmd|' /C calc'!A0`;
    expect((await report(test, spam({ note }))).statusCode).toBe(204);
    const operator = await operatorOf(test);
    expect((await operator.reports())[0]?.note).toBe(note);
    const { headers } = await operator.get('/api/admin/reports');
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
      'application/json; charset=utf-8',
      'nosniff',
    ]);
  });
});
