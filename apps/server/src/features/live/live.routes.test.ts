import { LiveRoomAnswer, livePaths, moderationPaths, NewLiveRoomAnswer } from '@wirebench/contract';
import { closeCodes, everyone } from '@wirebench/contract/live';
import { describe, expect, it } from 'vitest';
import { newApiUser } from '../../testing/api-user.ts';
import { openGuest, openHost } from '../../testing/live-client.ts';
import { startLiveServer } from '../../testing/live-server.ts';
import { buildTestApp } from '../../testing/test-app.ts';

describe('calls about shared benches', () => {
  it('create a room for a signed-in user', async () => {
    await using test = await buildTestApp();
    const user = await newApiUser(test);
    const { status, body } = await user.post(livePaths.rooms);
    expect(status).toBe(201);
    const { room, hostToken } = NewLiveRoomAnswer.parse(body);
    expect(Buffer.from(room.id, 'base64url').length).toBeGreaterThanOrEqual(16);
    expect(Buffer.from(hostToken, 'base64url').length).toBe(16);
    expect(Date.parse(room.expiresAt) - test.clock.now()).toBe(8 * 3_600_000);
    const found = await test.app.inject(livePaths.room(room.id));
    expect(LiveRoomAnswer.parse(found.json()).room).toEqual({ isHostPresent: false, expiresAt: room.expiresAt });
  });

  it('create no more rooms for a user than the limit, even for simultaneous calls', async () => {
    await using test = await buildTestApp({ LIMIT_LIVE_ROOMS: '2' });
    const user = await newApiUser(test);
    const answers = await Promise.all([1, 2, 3, 4].map(() => user.post(livePaths.rooms)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422]);
    const { body } = await user.post(livePaths.rooms);
    expect(body).toMatchObject({
      code: 'live-room-limit',
      message: 'You are already sharing 2 benches. Stop sharing one of them first.',
    });
    expect((await (await newApiUser(test)).post(livePaths.rooms)).status).toBe(201);
  });

  it('end only rooms of their caller, and hide rooms of others', async () => {
    await using test = await buildTestApp();
    const owner = await newApiUser(test);
    const stranger = await newApiUser(test);
    const { room } = NewLiveRoomAnswer.parse((await owner.post(livePaths.rooms)).body);
    expect((await stranger.delete(livePaths.room(room.id))).body.code).toBe('not-found');
    expect((await owner.delete(livePaths.room(room.id))).status).toBe(204);
    const ended = await test.app.inject(livePaths.room(room.id));
    const unknown = await test.app.inject(livePaths.room(`A${room.id.slice(1)}`));
    expect(ended.statusCode).toBe(404);
    expect({ ...ended.json() }).toEqual(unknown.json());
  });

  it('require a WebSocket for the socket address', async () => {
    await using test = await buildTestApp();
    const answer = await test.app.inject(livePaths.socket('anything'));
    expect([answer.statusCode, answer.json().code]).toEqual([426, 'upgrade-required']);
  });

  it('are limited by address', async () => {
    await using test = await buildTestApp({ RATE_LIMIT_READS: '3' });
    const ask = async () => (await test.app.inject(livePaths.room('nothing'))).statusCode;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([404, 404, 404, 429]);
  });

  it('leave no id, no token and no passed data in the log and in the metrics', async () => {
    await using server = await startLiveServer({ LOG_LEVEL: 'trace', METRICS: 'all' });
    const { room, hostToken } = NewLiveRoomAnswer.parse(
      (await (await newApiUser(server.test)).post(livePaths.rooms)).body,
    );
    const host = await openHost(server.address, { id: room.id, hostToken });
    const guest = await openGuest(server.address, { id: room.id, hostToken }, host);
    guest.send('data', 0, 'typed there');
    expect((await host.next('data')).text).toBe('typed there');
    host.send('data', everyone, 'said by the board');
    expect((await guest.next('data')).text).toBe('said by the board');
    host.send('expel', guest.welcome.you, 'a reason');
    await guest.closed;
    const log = server.test.log.join('');
    expect(log).toContain('/api/live/rooms');
    const metrics = (await server.test.app.inject('/metrics')).body;
    expect(metrics).toContain('wirebench_live');
    const passed = ['typed there', 'said by the board', 'a reason'];
    for (const secret of [room.id, hostToken, guest.welcome.resume, ...passed]) {
      expect(log).not.toContain(secret);
      expect(metrics).not.toContain(secret);
    }
  });
});

describe('an account that is blocked', () => {
  it('shares no bench any more, and its shared benches end', async () => {
    await using server = await startLiveServer();
    const maker = await newApiUser(server.test, 'maker');
    const admin = { headers: await server.test.bearer({ sub: 'admin', realm_access: { roles: ['admin'] } }) };
    const { room, hostToken } = NewLiveRoomAnswer.parse((await maker.post(livePaths.rooms)).body);
    const host = await openHost(server.address, { id: room.id, hostToken });
    const guest = await openGuest(server.address, { id: room.id, hostToken }, host);
    const listed = await server.test.app.inject({ url: `${moderationPaths.accounts}?q=maker`, ...admin });
    const account = listed.json().accounts[0]._id;
    const payload = { reason: 'Sells what is not theirs.' };
    const blocked = await server.test.app.inject({
      method: 'POST',
      url: moderationPaths.block(account),
      payload,
      ...admin,
    });
    expect(blocked.statusCode).toBe(200);
    expect([(await host.closed).code, (await guest.closed).code]).toEqual([closeCodes.ended, closeCodes.ended]);
    expect((await maker.post(livePaths.rooms)).body.code).toBe('sharing-blocked');
    expect((await server.test.app.inject(livePaths.room(room.id))).statusCode).toBe(404);
  });
});
