/** Bodies that arrive one byte at a time. They may not hold a connection for as long as an upload. */
import { apiPaths, ErrorAnswer, sharedFirmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type HostileTarget,
  type RawConnection,
  requestHead,
  startHostileTarget,
} from '../../testing/hostile-target.ts';

const CONNECTIONS = 20;
const reports = sharedFirmwarePaths.flashes('ottltAqAKuQpVJjwwSQxWw');

let target: HostileTarget;

beforeAll(async () => {
  target = await startHostileTarget({}, { whole: 1_500, answered: 400 });
});

afterAll(() => target[Symbol.asyncDispose]());

/** Sends `head` and then a byte of a body at intervals, until the server closes the connection. */
async function trickle(head: string, byte = ' '): Promise<RawConnection> {
  const connection = await target.connect();
  connection.socket.write(head);
  const dripping = setInterval(() => connection.socket.write(byte), 20);
  void connection.closed.then(() => clearInterval(dripping));
  return connection;
}

const json = { 'content-type': 'application/json', 'content-length': '60000' };

async function answersOf(head: string, byte?: string): Promise<readonly string[]> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => trickle(head, byte)));
  await Promise.all(connections.map(({ closed }) => closed));
  return [...new Set(connections.map(({ received }) => received()))];
}

const statusOf = (answer: string | undefined) => Number(answer?.split(' ')[1]);
const codeOf = (answer: string | undefined) => ErrorAnswer.parse(JSON.parse(answer?.split('\r\n\r\n')[1] ?? '')).code;

describe('trickled bodies', () => {
  it('are cut with an answer at public addresses', async () => {
    const answers = await answersOf(requestHead(reports, json));
    expect(answers).toHaveLength(1);
    expect([statusOf(answers[0]), codeOf(answers[0])]).toEqual([408, 'request-timeout']);
    expect(answers[0]).toMatch(/\r\nconnection: close\r\n/);
  });

  it('are cut in chunked encoding, too', async () => {
    const { 'content-type': type } = json;
    const head = requestHead(reports, { 'content-type': type, 'transfer-encoding': 'chunked' });
    const answers = await answersOf(head, '1\r\n \r\n');
    expect(answers.map(statusOf)).toEqual([408]);
  });

  it('are cut after a refusal that did not wait for them', async () => {
    const answers = await answersOf(requestHead(apiPaths.feedback, json));
    expect(new Set(answers.map(statusOf))).toEqual(new Set([401]));
  });

  it('are cut at unknown and undecodable addresses', async () => {
    expect(new Set((await answersOf(requestHead('/nothing', json))).map(statusOf))).toEqual(new Set([408]));
    expect(new Set((await answersOf(requestHead('/%zz', json))).map(statusOf))).toEqual(new Set([400]));
  });

  it('are cut for an upload without a token', async () => {
    const head = requestHead('/api/firmware/version', { ...json, 'content-type': 'multipart/form-data; boundary=x' });
    expect(new Set((await answersOf(head)).map(statusOf))).toEqual(new Set([401]));
  });
});

describe('a body in parts', () => {
  it('is accepted if it is complete in time', async () => {
    const { socket, received } = await target.connect();
    const body = '{"result":"success"}';
    socket.write(requestHead(reports, { 'content-type': 'application/json', 'content-length': String(body.length) }));
    for (const letter of body) {
      await new Promise((resolve) => socket.write(letter, resolve));
    }
    await expect.poll(received).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('leaves the connection to the next request after a refusal that did not wait for it', async () => {
    const { socket, received } = await target.connect();
    socket.write(requestHead(apiPaths.feedback, { 'content-type': 'application/json', 'content-length': '10' }));
    await expect.poll(received).toMatch(/^HTTP\/1\.1 401 /);
    socket.write(`0123456789${requestHead('/api/health', {}, 'GET')}`);
    await expect.poll(received).toMatch(/HTTP\/1\.1 200 /);
  });
});
