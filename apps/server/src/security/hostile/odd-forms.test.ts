/**
 * Forms with far more parts, names and headers than a version has, and files that resemble the boundary of their
 * form.
 */
import { createHash } from 'node:crypto';
import { firmwarePaths, VersionAnswer } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type HostileTarget, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

let target: HostileTarget;
let projectId: string;

beforeAll(async () => {
  target = await startHostileTarget({ LIMIT_VERSIONS: '20' });
  projectId = await target.newProject('maker');
});

afterAll(() => target[Symbol.asyncDispose]());

const BOUNDARY = '--boundary-of-the-test\r\n';

async function send(body: string | Buffer) {
  const { type } = versionForm(projectId, '1', 3);
  return ask(
    `${target.server.address}${firmwarePaths.newVersion}`,
    { method: 'POST', headers: { ...(await target.bearer('maker')), 'content-type': type } },
    body,
  );
}

/** Returns a complete form with `more` in front of its file. */
function form(version: string, more: string): string {
  const { head, tail } = versionForm(projectId, version, 3);
  return `${more}${head}abc${tail}`;
}

const field = (name: string, value = 'x') =>
  `${BOUNDARY}content-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string) =>
  `${BOUNDARY}content-disposition: form-data; name="other"; filename="${name}"\r\n\r\nx\r\n`;
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

describe('a form', () => {
  it.each<[string, () => string]>([
    ['thousands of fields', () => times(50_000, (index) => field(`field-${index}`))],
    ['thousands of fields of one name', () => times(50_000, () => field('description'))],
    ['thousands of files', () => times(50_000, (index) => file(`${index}.bin`))],
    ['thousands of empty parts', () => times(100_000, () => `${BOUNDARY}\r\n\r\n`)],
    ['a field of megabytes', () => field('description', 'x'.repeat(4_000_000))],
    ['a field name of megabytes', () => field('x'.repeat(4_000_000))],
    ['thousands of headers of a part', () => `${BOUNDARY}${times(100_000, (i) => `x-${i}: y\r\n`)}\r\nx\r\n`],
    ['a header of megabytes', () => `${BOUNDARY}x: ${'y'.repeat(4_000_000)}\r\n\r\nx\r\n`],
    ['a field named like what every object has', () => field('__proto__') + field('constructor')],
  ])('with %s is refused or read without them, and the server answers on', async (_what, more) => {
    const { status } = await send(form(`odd ${_what}`, more()));
    expect([201, 400, 413]).toContain(status);
    const health = await fetch(`${target.server.address}/api/health`);
    expect(health.status).toBe(200);
  });

  it.each([
    ['the boundary without its end', '\r\n--boundary-of-the-tes'],
    ['line ends', '\r\n'],
    ['hyphens', '\r\n-'],
  ])('keeps every byte of a file of %s, which the parser cuts into pieces', async (what, pattern) => {
    // Ends with bytes of no text: the server refuses text files as firmware.
    const text = Buffer.from(pattern.repeat(Math.ceil(2_000_000 / pattern.length)));
    const bytes = Buffer.concat([Buffer.of(0x01, 0x9c, 0x00, 0xf3), text]);
    const { head, tail } = versionForm(projectId, what, bytes.length);
    const answer = await send(Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]));
    expect(answer.status).toBe(201);
    const { version } = VersionAnswer.parse(JSON.parse(answer.body));
    expect(version.files[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});
