/** Accounts whose guests would take all connections of a process. */
import { closeCodes } from '@wirebench/contract/live';
import { expect, it } from 'vitest';
import { newLiveRoom, openHost, tryLive } from '../../testing/live-client.ts';
import { startLiveServer } from '../../testing/live-server.ts';

it('leave others their benches: each account has a quarter of what is free', async () => {
  await using server = await startLiveServer({ LIMIT_LIVE_TOTAL: '100', RATE_LIMIT_WRITES: '0' });
  const { address, test } = server;
  const welcomed: number[] = [];
  for (const name of ['one', 'two', 'three']) {
    const bearer = await test.bearer({ sub: name, preferred_username: name });
    let guests = 0;
    for (let count = 0; count < 4; count++) {
      const room = await newLiveRoom(address, bearer);
      await openHost(address, room);
      const answers = await Promise.all(Array.from({ length: 15 }, () => tryLive(address, room.id)));
      guests += answers.filter((answer) => 'welcome' in answer).length;
      for (const answer of answers) {
        if (!('welcome' in answer)) {
          expect(answer.code).toBe(closeCodes.tooMany);
        }
      }
    }
    welcomed.push(guests);
  }
  const [first = 0, , third = 0] = welcomed;
  expect(first).toBeLessThanOrEqual(25);
  expect(third).toBeGreaterThanOrEqual(8);

  const room = await newLiveRoom(address, await test.bearer({ sub: 'late', preferred_username: 'late' }));
  await openHost(address, room);
  const guest = await tryLive(address, room.id);
  expect('welcome' in guest).toBe(true);
}, 60_000);

it('have their places again when their guests have gone', async () => {
  await using server = await startLiveServer({ LIMIT_LIVE_TOTAL: '20', RATE_LIMIT_WRITES: '0' });
  const { address, test } = server;
  const room = await newLiveRoom(address, await test.bearer());
  const host = await openHost(address, room);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => tryLive(address, room.id)));
    expect(answers.map((answer) => 'welcome' in answer)).toEqual([true, true, true, true]);
    expect(await tryLive(address, room.id)).toMatchObject({ code: closeCodes.tooMany });
    for (const answer of answers) {
      if ('welcome' in answer) {
        answer.socket.close(1000);
        await host.next('left');
        await answer.closed;
      }
    }
  }
});
