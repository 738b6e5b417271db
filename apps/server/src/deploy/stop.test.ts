/**
 * One of two servers behind the proxy of `deploy/` is stopped: shared benches move, running uploads finish, limits
 * hold.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  apiPaths,
  ErrorAnswer,
  firmwarePaths,
  ProjectAnswer,
  sharedFirmwarePaths,
  VersionAnswer,
} from '@wirebench/contract';
import { closeCodes } from '@wirebench/contract/live';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findCaddy } from '../testing/caddy.ts';
import { versionForm } from '../testing/hostile-target.ts';
import { newLiveRoom, openGuest, openHost, openLive } from '../testing/live-client.ts';
import { noise } from '../testing/noise.ts';
import { type ProxiedPair, reportsPerMinute, startProxiedPair } from '../testing/proxied-pair.ts';
import { findRedis, startRedis, type TestRedis } from '../testing/redis.ts';

const postgres = inject('postgres');
const isComplete = postgres !== null && findCaddy() !== null && findRedis() !== null;

/** Milliseconds that other processes may take on a busy machine. */
const PATIENCE = 60_000;

/** An upload of which a part has been sent. */
interface Upload {
  /** Sends the rest and resolves with the answer. */
  finish(): Promise<{ readonly status: number | undefined; readonly body: string }>;
  abandon(): void;
}

describe.runIf(isComplete)('a server behind the proxy that is asked to stop', () => {
  let redis: TestRedis;
  let pair: ProxiedPair;

  beforeAll(async () => {
    redis = await startRedis();
    pair = await startProxiedPair(postgres?.url ?? '', postgres?.template ?? '', {
      environment: { REDIS_URL: redis.url },
    });
  }, 120_000);

  afterAll(async () => {
    await pair?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    for (const server of pair.servers) {
      if (server.process.child.exitCode !== null) {
        await server.start();
      }
    }
    await pair.untilProxyLooked();
  }, 120_000);

  const ask = (path: string, init?: RequestInit) => fetch(`${pair.proxy.address}${path}`, init);
  const bearer = async (name: string) => ({ authorization: `Bearer ${await pair.newToken(name)}` });

  async function post(path: string, headers: Record<string, string>, body: object): Promise<unknown> {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    return (await ask(path, { ...init, body: JSON.stringify(body) })).json();
  }

  async function newProject(name: string): Promise<string> {
    const draft = { name: `Project of ${name}`, deviceModel: 'esp32' };
    return ProjectAnswer.parse(await post(firmwarePaths.newProject, await bearer(name), draft)).project._id;
  }

  /** Returns the value of a metric at each server; 0 if it is missing. */
  function metricAtEach(metric: string): Promise<readonly number[]> {
    return Promise.all(
      pair.servers.map(async ({ address }) => {
        const lines = (await (await fetch(`${address}${apiPaths.metrics}`)).text()).split('\n');
        const line = lines.find((candidate) => candidate.startsWith(`${metric} `));
        return Number(line?.slice(metric.length + 1) ?? 0);
      }),
    );
  }

  /** Begins an upload of a version through the proxy and sends half of its file. */
  async function beginUpload(user: string, projectId: string, bytes: Uint8Array): Promise<Upload> {
    const { head, tail, length, type } = versionForm(projectId, '1.0.0', bytes.length);
    const headers = { ...(await bearer(user)), 'content-type': type, 'content-length': String(length) };
    const sent: ClientRequest = request(`${pair.proxy.address}${firmwarePaths.newVersion}`, {
      method: 'POST',
      headers,
      agent: false,
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    sent.on('error', () => undefined);
    const middle = bytes.length >> 1;
    sent.write(head);
    sent.write(bytes.subarray(0, middle));
    return {
      finish: async () => {
        sent.write(bytes.subarray(middle));
        sent.end(tail);
        const [answer] = await answered;
        return { status: answer.statusCode, body: await text(answer) };
      },
      abandon: () => sent.destroy(),
    };
  }

  /** Resolves when the server accepts no new connections. */
  async function untilClosed(address: string): Promise<void> {
    const isOpen = () =>
      fetch(`${address}${apiPaths.health}`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      );
    await expect.poll(isOpen, { timeout: PATIENCE, interval: 20 }).toBe(false);
  }

  it('sends host and guests of a shared bench to the other server, where they go on under their numbers', async () => {
    const { address } = pair.proxy;
    const room = await newLiveRoom(address, await bearer('sharer'));
    const host = await openHost(address, room);
    // The proxy gives each new connection to the server with fewer, so both have guests.
    const guests = [];
    for (let number = 0; number < 4; number++) {
      guests.push(await openGuest(address, room, host));
    }
    const hosts = await metricAtEach('wirebench_live_connections{role="host"}');
    const guestsAtEach = await metricAtEach('wirebench_live_connections{role="guest"}');
    expect(guestsAtEach.every((count) => count > 0)).toBe(true);
    const stopping = pair.servers[hosts.indexOf(1)];
    const stopped = stopping?.process.stop();

    expect((await host.closed).code).toBe(closeCodes.restart);
    const hostAgain = await openHost(address, room);
    let moved = 0;
    for (const guest of guests) {
      const { you, resume } = guest.welcome;
      // Guests at the other server stay connected. They receive `gone` and `back` for their host.
      const way = await Promise.race([guest.closed, guest.next('back').catch(() => guest.closed)]);
      let again = guest;
      if ('code' in way) {
        expect(way.code).toBe(closeCodes.restart);
        again = await openLive(address, room.id, { resume });
        moved++;
      }
      expect(again.welcome.you).toBe(you);
      const isNamed = () => hostAgain.arrived.some(({ kind, guest: named }) => kind === 'joined' && named === you);
      await expect.poll(isNamed, { timeout: PATIENCE }).toBe(true);
      hostAgain.send('admit', you);
      hostAgain.send('data', you, `for ${you}`);
      expect((await again.next('data')).text).toBe(`for ${you}`);
      again.send('data', 0, `from ${you}`);
      expect(await hostAgain.next('data')).toMatchObject({ guest: you, text: `from ${you}` });
    }
    expect(moved).toBe(guestsAtEach[hosts.indexOf(1)]);
    hostAgain.socket.close(1000);
    await stopped;
    expect(stopping?.process.child.exitCode).toBe(0);
  }, 240_000);

  it('takes an upload that had begun to its end, and all bytes of it are there', async () => {
    const bytes = noise(1_048_576);
    const projectId = await newProject('uploader');
    const upload = await beginUpload('uploader', projectId, bytes);
    await expect
      .poll(() => metricAtEach('wirebench_uploads_in_progress'), { timeout: PATIENCE })
      .toEqual(expect.arrayContaining([1]));
    const at = (await metricAtEach('wirebench_uploads_in_progress')).indexOf(1);
    const stopping = pair.servers[at];
    const stopped = stopping?.process.stop();
    await untilClosed(stopping?.address ?? '');
    const { status, body } = await upload.finish();
    expect([status, body]).toEqual([201, expect.any(String)]);
    const { version } = VersionAnswer.parse(JSON.parse(body));
    await stopped;
    expect(stopping?.process.child.exitCode).toBe(0);

    const headers = await bearer('uploader');
    await post(firmwarePaths.projectSharing(projectId), headers, { isPublic: true });
    await post(firmwarePaths.versionSharing(version._id), headers, { isPublic: true });
    const file = await ask(sharedFirmwarePaths.file('version', version.shareId, version.files[0]?._id ?? ''));
    const hash = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
    expect([file.status, hash(new Uint8Array(await file.arrayBuffer()))]).toEqual([200, hash(bytes)]);
  }, 240_000);

  it('leaves the limits as they were: on uploads of a user at the other server, on reports at both together', async () => {
    const own = await newProject('greedy');
    const other = await newProject('modest');
    const report = async () => (await ask(sharedFirmwarePaths.flashes('nothing'), { method: 'POST' })).status;
    const statuses = [];
    for (let number = 0; number < reportsPerMinute; number++) {
      statuses.push(await report());
    }
    expect(statuses).not.toContain(429);
    const [stopping, remaining] = pair.servers;
    const stopped = stopping.process.stop();
    // All connections of the test have the same address. The count is in Redis and survives the stopped server.
    expect(await report()).toBe(429);
    await untilClosed(stopping.address);
    expect(await report()).toBe(429);

    const bytes = noise(65_536);
    const held = [await beginUpload('greedy', own, bytes), await beginUpload('greedy', own, bytes)];
    const inProgress = async () => (await (await fetch(`${remaining.address}${apiPaths.metrics}`)).text()).split('\n');
    await expect.poll(inProgress, { timeout: PATIENCE }).toContain('wirebench_uploads_in_progress 2');
    const third = await (await beginUpload('greedy', own, bytes)).finish();
    expect([third.status, ErrorAnswer.parse(JSON.parse(third.body)).code]).toEqual([429, 'too-many-uploads']);
    const modest = await (await beginUpload('modest', other, bytes)).finish();
    expect([modest.status, modest.body]).toEqual([201, expect.any(String)]);
    for (const upload of held) {
      upload.abandon();
    }
    await stopped;
    expect(stopping.process.child.exitCode).toBe(0);
  }, 240_000);
});
