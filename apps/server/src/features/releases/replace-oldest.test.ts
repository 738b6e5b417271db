import { join } from 'node:path';
import { firmwarePaths, tokenPaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';

const BOUNDARY = 'boundary-of-the-test';

/** Returns a form with one file and these fields in order. The file comes last unless `fileFirst`. */
function form(fields: Readonly<Record<string, string>>, fileFirst = false): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="files"; filename="app.bin"\r\n\r\nbytes of ${fields['version']}\r\n`;
  return Buffer.from([...(fileFirst ? [file, ...parts] : [...parts, file]), `--${BOUNDARY}--\r\n`].join(''));
}

describe.each(databaseKinds)('replacing the oldest version on $name', ({ appPlace }) => {
  let place: DatabasePlace;
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let projectId: string;

  beforeEach(async () => {
    place = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', LIMIT_VERSIONS: '2', ...place.environment });
    owner = releaseClient(test.app, await test.bearer());
    ({ _id: projectId } = await owner.newProject());
    await owner.newVersion(projectId, { version: '1' });
    await owner.newVersion(projectId, { version: '2' });
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const versions = async () => (await owner.projects())[0]?.versions.map(({ version }) => version);
  const token = async (mayReplace?: boolean) => {
    const answer = await owner.post(tokenPaths.tokens, {
      name: 'CI',
      projectId,
      ...(mayReplace === undefined ? {} : { mayReplace }),
    });
    return { authorization: `Bearer ${answer.json().secret}` };
  };
  const upload = (
    headers: Readonly<Record<string, string>>,
    version: string,
    more: Readonly<Record<string, string>> = {},
    fileFirst = false,
  ) =>
    test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      payload: form({ projectId, version, description: 'd', offsets: '["0x0"]', ...more }, fileFirst),
    });

  it('is what a token may do that was made for it, and asks for it; the bytes go too', async () => {
    const blobs = () => filesIn(join(test.dataDir, 'firmware', 'blobs'));
    // The first two versions have the same bytes. Each new one has bytes of its own.
    const before = (await blobs()).length;
    const may = await token(true);
    expect((await upload(may, '3')).json().code).toBe('version-limit');
    expect(await versions()).toEqual(['2', '1']);
    expect((await upload(may, '3', { replaceOldest: 'true' })).statusCode).toBe(201);
    expect(await versions()).toEqual(['3', '2']);
    expect((await upload(may, '4', { replaceOldest: 'true' }, true)).statusCode).toBe(201);
    expect(await versions()).toEqual(['4', '3']);
    await expect.poll(async () => (await blobs()).length).toBe(before + 1);
    const history = (await owner.get(firmwarePaths.projectHistory(projectId))).json().history;
    expect(history.filter(({ action }: { action: string }) => action === 'version-deleted')).toMatchObject([
      { version: '2', token: { name: 'CI' } },
      { version: '1', token: { name: 'CI' } },
    ]);
  });

  it.each([undefined, false])('is refused to a token that was made with mayReplace %s', async (mayReplace) => {
    const answer = await upload(await token(mayReplace), '3', { replaceOldest: 'true' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'token-not-allowed']);
    expect(answer.json().message).toContain('may not replace versions');
    expect(await versions()).toEqual(['2', '1']);
  });

  it('deletes nothing where there is room, where the version is taken, or where the form is not right', async () => {
    const may = await token(true);
    expect((await upload(may, '2', { replaceOldest: 'true' })).json().code).toBe('version-taken');
    expect((await upload(may, '3', { replaceOldest: 'perhaps' })).json().code).toBe('version-limit');
    expect((await upload(may, '3', { replaceOldest: 'true', offsets: '["nowhere"]' })).statusCode).toBe(400);
    expect(await versions()).toEqual(['2', '1']);
    await owner.remove(firmwarePaths.version((await owner.projects())[0]?.versions[0]?._id ?? ''));
    expect((await upload(may, '3', { replaceOldest: 'true' })).statusCode).toBe(201);
    expect(await versions()).toEqual(['3', '1']);
  });

  it('leaves as many as the limit when several uploads replace at once', async () => {
    const may = await token(true);
    const answers = await Promise.all(['3', '4'].map((version) => upload(may, version, { replaceOldest: 'true' })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect((await versions())?.toSorted()).toEqual(['3', '4']);
  });
});
