/** An account is disabled, removed or gets a new password while it shares a bench and uploads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { firmwarePaths, livePaths, NewTokenAnswer, ProjectAnswer, tokenPaths } from '@wirebench/contract';
import { closeCodes } from '@wirebench/contract/live';
import { describe, expect, it } from 'vitest';
import { newLiveRoom, openGuest, openHost } from '../../testing/live-client.ts';
import { accounts, lab, me, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { signIn, signInWithPassword } from '../../testing/sign-in.ts';
import { startTestServer } from '../../testing/test-server.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Signs in `lab` and shares a bench with one guest. */
async function share(address: string, token: string) {
  const room = await newLiveRoom(address, bearer(token));
  const host = await openHost(address, room);
  const guest = await openGuest(address, room, host);
  const isThere = async () => (await fetch(`${address}${livePaths.room(room.id)}`)).status === 200;
  return { host, guest, isThere };
}

describe('a shared bench of an account of the server', () => {
  it.each<[string, readonly string[], string]>([
    ['is disabled', ['disable', lab.username], ''],
    ['gets a new password', ['passwd', lab.username], 'another bench by the window'],
  ])('ends within seconds for host and guest when the account %s', async (_what, args, password) => {
    await using server = await startServerWithAccounts();
    const { access_token: token } = await signInWithPassword(server.address, lab);
    const { access_token: others } = await signInWithPassword(server.address, me);
    const { host, guest, isThere } = await share(server.address, token);
    const other = await share(server.address, others);
    await accounts(server.dataDir, args, password);
    expect([(await host.closed).code, (await guest.closed).code]).toEqual([closeCodes.ended, closeCodes.ended]);
    expect([await isThere(), await other.isThere()]).toEqual([false, true]);
    if (password !== '') {
      // A bench that is shared after a sign-in with the new password stays. Times of accounts are whole seconds.
      await sleep(1_100);
      const { access_token: anew } = await signInWithPassword(server.address, { ...lab, password });
      const again = await share(server.address, anew);
      await sleep(2_500);
      expect(await again.isThere()).toBe(true);
    }
  });

  it('ends when the first account of an operator removes the demo accounts', async () => {
    await using server = await startTestServer();
    const { access_token: token } = await signIn(server.address, 'maker');
    const { host } = await share(server.address, token);
    await accounts(server.dataDir, ['add', me.username], me.password);
    expect((await host.closed).code).toBe(closeCodes.ended);
  });
});

describe('an upload that is still arriving', () => {
  /** Begins an upload whose body ends when `finish` is called. */
  async function begin(address: string, token: string, projectId: string, version = '1.0') {
    const boundary = 'part';
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="app.bin"\r\n\r\n`;
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const encode = (text: string) => new TextEncoder().encode(text);
    const answer = fetch(`${address}${firmwarePaths.newVersion}`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: readable,
      duplex: 'half',
    } as RequestInit);
    const fields = { projectId, version, description: 'One', offsets: '["0x10000"]' };
    await writer.write(
      encode(
        Object.entries(fields)
          .map(([name, value]) => field(name, value))
          .join('') + file,
      ),
    );
    await writer.write(encode('abc'));
    return async () => {
      await writer.write(encode(`\r\n--${boundary}--\r\n`));
      await writer.close();
      return answer;
    };
  }

  async function project(address: string, token: string) {
    const answer = await fetch(`${address}${firmwarePaths.newProject}`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Weather', deviceModel: 'esp32' }),
    });
    return ProjectAnswer.parse(await answer.json()).project._id;
  }

  it('publishes nothing once its account is disabled', async () => {
    await using server = await startServerWithAccounts();
    const { access_token: token } = await signInWithPassword(server.address, lab);
    const id = await project(server.address, token);
    const finish = await begin(server.address, token, id);
    await sleep(200);
    await accounts(server.dataDir, ['disable', lab.username]);
    expect((await finish()).status).toBe(401);
  });

  it('publishes nothing once its publishing token is revoked', async () => {
    await using server = await startServerWithAccounts();
    const { access_token: token } = await signInWithPassword(server.address, lab);
    const id = await project(server.address, token);
    const made = await fetch(`${server.address}${tokenPaths.tokens}`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'CI', projectId: id }),
    });
    const { secret, token: row } = NewTokenAnswer.parse(await made.json());
    expect((await (await begin(server.address, secret, id))()).status).toBe(201);
    const finish = await begin(server.address, secret, id, '1.1');
    await sleep(200);
    const revoked = await fetch(`${server.address}${tokenPaths.token(row._id)}`, {
      method: 'DELETE',
      headers: bearer(token),
    });
    expect(revoked.status).toBe(204);
    expect((await finish()).status).toBe(401);
  });
});
