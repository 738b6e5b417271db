import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { firmwarePaths, releaseLimits, type Version, VersionAnswer } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { encodeForm, type TestVersion } from '../../testing/release-client.ts';
import { testStart } from '../../testing/test-app.ts';
import { bin, startUploadTest, type UploadTest } from '../../testing/upload-test.ts';
import { buildEspImage, IRAM_ADDRESS } from './esp-image.ts';

let { test, owner, projectId, stored, files, expectNothingNew } = {} as UploadTest;

beforeEach(async () => {
  ({ test, owner, projectId, stored, files, expectNothingNew } = await startUploadTest());
});

afterEach(() => test[Symbol.asyncDispose]());

/**
 * Returns an ESP32 image with `size` bytes of code, the last of which was changed after the checksum was calculated.
 */
function damaged(size: number): Uint8Array {
  const image = buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [{ address: IRAM_ADDRESS, data: Buffer.alloc(size, 3) }],
  });
  const copy = Uint8Array.from(image);
  copy[32 + size - 1] = 4;
  return copy;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('uploading a version', () => {
  it.each([false, true])(
    'returns the private version with the addresses of its files (files first: %s)',
    async (filesFirst) => {
      const [boot, app] = [bin('boot.bin'), bin('app.bin', noise(200_000))];
      const answer = await owner.upload(projectId, {
        version: ' 1.0.0 ',
        description: ' # Notes\n\nFirst ',
        files: [app, boot],
        offsets: '["0x10000", "0x1000"]',
        console: '{"baudRate":74880,"lineEnding":"crlf","jkitId":null}',
        filesFirst,
      });
      expect(answer.statusCode).toBe(201);
      expect(VersionAnswer.parse(answer.json()).version).toEqual({
        _id: expect.any(String),
        shareId: expect.stringMatching(/^[\w-]{22}$/),
        version: '1.0.0',
        description: '# Notes\n\nFirst',
        isPublic: false,
        createdAt: new Date(testStart).toISOString(),
        writeCount: 0,
        console: { baudRate: 74_880, lineEnding: 'crlf', jkitId: null },
        files: [boot, app].map(({ name, bytes }, index) => ({
          _id: expect.any(String),
          fileName: name,
          size: bytes.length,
          offset: index === 0 ? '0x1000' : '0x10000',
          sha256: sha256(bytes),
        })),
        crashes: 0,
      } satisfies Version);
      expect(await files('incoming')).toEqual([]);
      expect(await files('blobs')).toHaveLength(stored.length + 2);
    },
  );

  it('returns the same bytes on download', async () => {
    const bytes = noise(1_000_003);
    const version = await owner.newVersion(projectId, { files: [bin('app.bin', bytes)] });
    const answer = await owner.get(firmwarePaths.versionFile(version._id, version.files[0]?._id ?? ''));
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1000003',
      etag: `"${sha256(bytes)}"`,
    });
  });

  it('accepts four files of exactly 16 MiB', async () => {
    const large = bin('large.bin', Buffer.alloc(releaseLimits.fileSize, 7));
    const version = await owner.newVersion(projectId, {
      files: [large, large, large, large],
      offsets: '["0x0", "0x1000000", "0x2000000", "0x3000000"]',
    });
    expect(version.files.map(({ size, offset }) => [size, offset])).toEqual([
      [16_777_216, '0x0'],
      [16_777_216, '0x1000000'],
      [16_777_216, '0x2000000'],
      [16_777_216, '0x3000000'],
    ]);
    // Equal bytes are stored once.
    expect(await files('blobs')).toHaveLength(stored.length + 1);
  });

  it('reads a form whose fields say that they are JSON', async () => {
    const boundary = 'x';
    const field = (name: string, type: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: ${type}\r\n\r\n${value}\r\n`;
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload:
        field('projectId', 'text/plain', projectId) +
        field('version', 'text/plain; charset=utf-8', '1') +
        field('description', 'text/plain', 'First') +
        field('offsets', 'application/json', '["0x0"]') +
        `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.bin"\r\n` +
        `content-type: application/octet-stream\r\n\r\nbytes\r\n--${boundary}--\r\n`,
    });
    expect(answer.statusCode).toBe(201);
  });

  it('drops unknown fields and files', async () => {
    const { payload, contentType } = await encodeForm(projectId, {});
    const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? '';
    const extra =
      `--${boundary}\r\ncontent-disposition: form-data; name="isPublic"\r\n\r\ntrue\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="shareId"\r\n\r\nmine\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="picture"; filename="a.png"\r\n\r\npixels\r\n`;
    const uploaded = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType },
      payload: Buffer.concat([Buffer.from(extra), payload]),
    });
    expect(uploaded.statusCode).toBe(201);
    expect(uploaded.json().version).toMatchObject({ isPublic: false, files: [{ fileName: 'app.bin' }] });
    expect(uploaded.json().version.shareId).not.toBe('mine');
  });
});

describe('a version that may not start', () => {
  it('is published with a damaged file only if the publisher names it', async () => {
    const files = [bin('app.bin', damaged(100_000)), bin('other.bin')];
    const offsets = '["0x10000","0x100000"]';
    const refused = await owner.upload(projectId, { files, offsets, acceptDamaged: '["other.bin"]' });
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'files-damaged']);
    await expectNothingNew();
    const accepted = await owner.upload(projectId, { files, offsets, acceptDamaged: '["app.bin"]' });
    expect(accepted.statusCode).toBe(201);
  });

  it.each([
    ['a web page', '<!DOCTYPE html><html><head><title>Sign in</title></head></html>', 'is a web page, not firmware'],
    ['a web page of 100 KB', '<!DOCTYPE html><html>'.padEnd(100_000, '<p>text</p>'), 'is a web page, not firmware'],
    ['an error of an API', '{"message":"Not Found"}', 'is JSON text, not firmware'],
    ['an error in one line', '404: Not Found', 'is the answer of a web server, not firmware'],
  ])('is refused with %s in place of the app, even if damage is accepted', async (_, text, sentence) => {
    const upload = { files: [bin('app.bin', Buffer.from(text))], offsets: '["0x10000"]', acceptDamaged: '["app.bin"]' };
    const refused = await owner.upload(projectId, upload);
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid-request']);
    expect(refused.json().message).toContain(sentence);
    await expectNothingNew();
  });

  it('is accepted with text for a data partition if the publisher names the file', async () => {
    const files = [bin('ca.bin', Buffer.from(`-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(20)}\n`))];
    const upload = { files, offsets: '["0x110000"]' };
    const refused = await owner.upload(projectId, upload);
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'files-damaged']);
    expect((await owner.upload(projectId, { ...upload, acceptDamaged: '["ca.bin"]' })).statusCode).toBe(201);
  });

  it('is checked for the family of its project', async () => {
    const { _id } = await owner.newProject('Motor', { deviceFamily: 'stm', deviceModel: 'stm32f' });
    const low = await owner.upload(_id, { offsets: '["0x10000"]' });
    expect(low.json().message).toContain('the flash of an STM32 begins at 0x08000000');
    const data = await owner.upload(_id, { offsets: '["0x8000000"]' });
    expect(data.json()).toMatchObject({
      code: 'files-damaged',
      message: expect.stringContaining('"app.bin" is not a program for an STM32'),
    });
    const accepted = await owner.upload(_id, { offsets: '["0x8000000"]', acceptDamaged: '["app.bin"]' });
    expect(accepted.statusCode).toBe(201);
  });

  it('is refused for another chip than its project', async () => {
    const { _id } = await owner.newProject('Sensor', { deviceModel: 'esp32s3' });
    const image = buildEspImage({
      entry: IRAM_ADDRESS,
      segments: [{ address: IRAM_ADDRESS, data: Buffer.alloc(64, 3) }],
    });
    expect((await owner.upload(_id, { files: [bin('app.bin', image)] })).json().message).toContain(
      '"app.bin" was built for ESP32, but this project is for ESP32-S3.',
    );
  });
});

describe('a refused form', () => {
  it.each<[string, TestVersion, number, string]>([
    ['no version number', { version: undefined }, 400, 'Please enter a version number'],
    ['a blank version number', { version: ' ' }, 400, 'Please enter a version number'],
    ['a long version number', { version: 'x'.repeat(41) }, 400, 'Version cannot exceed 40 characters'],
    ['no description', { description: undefined }, 400, 'Description is required'],
    ['a blank description', { description: '\n' }, 400, 'Description is required'],
    ['no file', { files: [], offsets: '[]' }, 400, 'At least one firmware file with offset is required'],
    ['no offsets', { offsets: undefined }, 400, 'At least one firmware file with offset is required'],
    ['an empty offset', { offsets: '[""]' }, 400, 'At least one firmware file with offset is required'],
    ['offsets that are no JSON', { offsets: '0x1000' }, 400, 'offsets must be a JSON list of strings'],
    ['offsets that are no list', { offsets: '{"0":"0x0"}' }, 400, 'offsets must be a JSON list of strings'],
    ['offsets that are numbers', { offsets: '[4096]' }, 400, 'offsets must be a JSON list of strings'],
    [
      'more offsets than files',
      { offsets: '["0x0","0x1000"]' },
      400,
      'There must be one offset for each file: 1, not 2',
    ],
    [
      'files that overlap',
      { files: [bin('boot.bin', Buffer.alloc(0x1001)), bin('app.bin')], offsets: '["0x0","0x1000"]' },
      400,
      '"boot.bin" and "app.bin" overlap at 0x1000. Remove one of them, or correct the offsets.',
    ],
    [
      'an empty file',
      { files: [bin('app.bin', Buffer.alloc(0))] },
      400,
      '"app.bin" is empty. Build it again, or get a fresh copy.',
    ],
    ['an offset without 0x', { offsets: '["10000"]' }, 400, 'The offset of "app.bin" has no 0x prefix. Use 0x10000.'],
    [
      'an offset that begins no sector',
      { offsets: '["0x2710"]' },
      400,
      '"app.bin" cannot begin at 0x2710: flash is erased in sectors of 4 KB. Give it an offset that ends in 000, in hexadecimal.',
    ],
    [
      'a small image that is damaged',
      { files: [bin('app.bin', damaged(500))] },
      400,
      '"app.bin": The image is damaged: its checksum does not match its contents. Build it again, or get a fresh copy.',
    ],
    [
      'a large image that is damaged at its end',
      { files: [bin('app.bin', damaged(3_000_000))] },
      400,
      '"app.bin": The image is damaged: its checksum does not match its contents. Build it again, or get a fresh copy.',
    ],
    [
      'five files',
      { files: Array.from({ length: 5 }, (_, index) => bin(`${index}.bin`)) },
      400,
      'A version can have at most 4 files',
    ],
    [
      'another kind of file',
      { files: [bin('app.elf')] },
      415,
      '"app.elf" is not a .bin file. Only .bin files can be uploaded.',
    ],
    [
      'a file that is too large',
      { files: [bin('app.bin', Buffer.alloc(releaseLimits.fileSize + 1))] },
      413,
      '"app.bin" is larger than 16 MB',
    ],
    ['console settings that are no JSON', { console: 'fast' }, 400, 'Console settings must be an object'],
    [
      'a baud rate out of bounds',
      { console: '{"baudRate":1,"lineEnding":"lf"}' },
      400,
      'Baud rate must be a whole number from 50 to 8000000',
    ],
  ])('leaves nothing behind: %s', async (_name, version, status, sentence) => {
    for (const filesFirst of [false, true]) {
      const answer = await owner.upload(projectId, { ...version, filesFirst });
      expect([answer.statusCode, answer.json().error, answer.json().message]).toEqual([status, sentence, sentence]);
    }
    await expectNothingNew();
  });

  it.each([
    ['cut off in a file', (form: Buffer) => form.subarray(0, form.length - 150)],
    ['cut off in a head', (form: Buffer) => form.subarray(0, 60)],
    ['nothing', () => Buffer.alloc(0)],
    ['no form', () => Buffer.from('{"projectId":1}')],
  ])('leaves nothing behind if it is %s', async (_name, damage) => {
    const { payload, contentType } = await encodeForm(projectId, { files: [bin('app.bin', Buffer.alloc(1_000))] });
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType },
      payload: damage(payload),
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid-request']);
    await expectNothingNew();
  });

  it.each([
    ['multipart/form-data', 400],
    ['multipart/form-data; boundary=', 400],
    ['application/json', 415],
    ['application/octet-stream', 415],
    ['text/plain', 415],
  ])('leaves nothing behind with the type %s', async (type, status) => {
    const { payload } = await encodeForm(projectId, {});
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    await expectNothingNew();
  });

  it('is refused by its length before its body is read', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: {
        ...(await test.bearer()),
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(200 * 1_024 * 1_024),
      },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'body-too-large']);
  });

  it('leaves nothing behind with a file without a name', async () => {
    const { payload, contentType } = await encodeForm(projectId, {});
    const text = payload.toString('latin1').replace('; filename="app.bin"', '');
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType },
      payload: Buffer.from(text, 'latin1'),
    });
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported-media-type']);
    await expectNothingNew();
  });

  it('leaves nothing behind with a field called __proto__', async () => {
    const { payload, contentType } = await encodeForm(projectId, {});
    const text = payload.toString('latin1').replace('name="description"', 'name="__proto__"');
    const answer = await test.app.inject({
      method: 'POST',
      url: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType },
      payload: Buffer.from(text, 'latin1'),
    });
    expect(answer.statusCode).toBe(400);
    expect({}).not.toHaveProperty('value');
    await expectNothingNew();
  });
});

describe('file names', () => {
  it.each([
    ['../../../wirebench.bin', 'wirebench.bin'],
    ['..\\..\\wirebench.bin', 'wirebench.bin'],
    ['/etc/passwd.bin', 'passwd.bin'],
    ['größe 🛠.bin', 'größe 🛠.bin'],
    // Browsers encode a quote in this way.
    ['a"b;c=d.bin', 'a%22b;c=d.bin'],
  ])('are reduced to a safe name: %s', async (name, kept) => {
    const version = await owner.newVersion(projectId, { files: [bin(name)] });
    const [file] = version.files;
    expect(file?.fileName).toBe(kept);
    const answer = await owner.get(firmwarePaths.versionFile(version._id, file?._id ?? ''));
    expect(answer.statusCode).toBe(200);
    expect(String(answer.headers['content-disposition'])).toMatch(
      /^attachment; filename="[\w.() -]+"(; filename\*=UTF-8''[\w.~!%-]+)?$/,
    );
    expect(await readdir(test.dataDir)).not.toContain(kept);
  });

  it('are refused with line ends in any encoding', async () => {
    for (const name of ['a%0d%0aset-cookie: x=1.bin', 'a\\r\\nb.bin']) {
      const answer = await owner.upload(projectId, { version: name.slice(0, 9), files: [bin(name)] });
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    const { payload, contentType } = await encodeForm(projectId, { version: '3' });
    for (const name of ["UTF-8''a%0D%0Aset-cookie%3A%20x%3D1.bin", "UTF-8''a%00.bin"]) {
      const text = payload.toString('latin1').replace('filename="app.bin"', `filename*=${name}`);
      const answer = await test.app.inject({
        method: 'POST',
        url: firmwarePaths.newVersion,
        headers: { ...(await test.bearer()), 'content-type': contentType },
        payload: Buffer.from(text, 'latin1'),
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid-request']);
    }
  });
});
