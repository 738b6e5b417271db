import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { User } from '../../identity/user.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { feedbackRepository } from './feedback.repository.ts';
import { feedbackService } from './feedback.service.ts';

const maker: User = {
  subject: 'subject-of-maker',
  username: 'maker',
  name: 'Mina Maker',
  email: 'maker@wirebench.example',
  picture: null,
  roles: [],
};
const message = 'The terminal kept every byte of mine';
const hour = 3_600_000;

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
  }
  return text;
}

describe.each(databaseKinds)('feedback service on $name', ({ open }) => {
  async function start(time: string) {
    const opened = await open();
    const clock = new VirtualClock(Date.parse(time));
    const service = feedbackService(feedbackRepository(opened.database.queries), clock);
    return { clock, service, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it("keeps the token's e-mail over the body's, so that no user writes in another's name", async () => {
    await using test = await start('2026-11-20T12:00:00.123Z');
    expect(await test.service.submit(maker, { email: 'admin@wirebench.example', message: `  ${message}\n` })).toEqual({
      _id: expect.any(String),
      email: 'maker@wirebench.example',
      message,
      createdAt: '2026-11-20T12:00:00.123Z',
    });
  });

  it("keeps the body's when the token has none", async () => {
    await using test = await start('2026-11-20T12:00:00Z');
    const stored = await test.service.submit(
      { ...maker, email: null },
      { email: 'anonymous@wirebench.invalid', message },
    );
    expect(stored.email).toBe('anonymous@wirebench.invalid');
    expect(stored.createdAt).toBe('2026-11-20T12:00:00.000Z');
  });

  it('counts pages of what the filter lets through', async () => {
    await using test = await start('2026-11-20T12:00:00Z');
    for (let entry = 0; entry < 11; entry++) {
      await test.service.submit(
        { ...maker, email: entry === 0 ? 'other@wirebench.example' : maker.email },
        { email: 'x', message },
      );
    }
    const pagination = async (query: { page: number; limit: number; email?: string }) =>
      (await test.service.list({ email: undefined, ...query })).pagination;
    expect(await pagination({ page: 1, limit: 10 })).toEqual({ page: 1, limit: 10, total: 11, pages: 2 });
    expect(await pagination({ page: 1, limit: 10, email: '' })).toMatchObject({ total: 11 });
    expect(await pagination({ page: 2, limit: 5, email: maker.email ?? '' })).toMatchObject({ total: 10, pages: 2 });
    expect(await pagination({ page: 1, limit: 10, email: 'nobody' })).toMatchObject({ total: 0, pages: 0 });
    expect((await test.service.list({ page: 2, limit: 10, email: undefined })).data).toHaveLength(1);
  });

  it.each([
    ['UTC', 1],
    ['Europe/Berlin', 2],
    ['America/New_York', 3],
    ['Asia/Kolkata', 3],
  ])('begins today at midnight in %s', async (timeZone, today) => {
    await using test = await start('2026-11-20T22:30:00Z');
    for (let entry = 0; entry < 3; entry++) {
      await test.service.submit(maker, { email: 'x', message });
      await test.clock.advance(hour);
    }
    expect(await test.service.stats(timeZone)).toEqual({ totalFeedbacks: 3, todayFeedbacks: today, uniqueEmails: 1 });
  });

  it('counts a message at midnight as one of the new day, also when clocks change', async () => {
    // Berlin left summer time on 2026-10-25: midnight was still 22:00 UTC, and the day had 25 hours.
    await using test = await start('2026-10-24T21:59:59.999Z');
    await test.service.submit(maker, { email: 'x', message });
    await test.clock.advance(1);
    await test.service.submit(maker, { email: 'x', message });
    await test.clock.advance(25 * hour - 1);
    expect((await test.service.stats('Europe/Berlin')).todayFeedbacks).toBe(1);
    await test.clock.advance(1);
    expect((await test.service.stats('Europe/Berlin')).todayFeedbacks).toBe(0);
  });

  it('exports everything newest first, in more than one batch, under the name of the day', async () => {
    await using test = await start('2026-11-20T23:59:59Z');
    for (let entry = 0; entry < 1_001; entry++) {
      await test.service.submit(maker, { email: 'x', message: `message number ${entry} of many` });
      await test.clock.advance(1);
    }
    const { fileName, csv } = await test.service.exportCsv(undefined);
    expect(fileName).toBe('feedbacks-export-2026-11-21.csv');
    const lines = (await textOf(csv)).split('\r\n');
    expect(lines).toHaveLength(1 + 1_001 + 1);
    expect(lines[0]).toBe('_id,email,message,createdAt');
    expect(lines.slice(1, -1).map((line) => Number(/number (\d+)/.exec(line)?.[1]))).toEqual(
      Array.from({ length: 1_001 }, (_, index) => 1_000 - index),
    );
  });

  it('exports one sender on request, and a header when there is nothing', async () => {
    await using test = await start('2026-11-20T12:00:00Z');
    await test.service.submit(maker, { email: 'x', message });
    expect(await textOf((await test.service.exportCsv('MAKER@wirebench.example')).csv)).toContain(message);
    expect(await textOf((await test.service.exportCsv('nobody')).csv)).toBe('_id,email,message,createdAt\r\n');
  });
});
