/** Versions with several builds: uploads, answers, manifests, counts and deletion, on both databases. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type Build,
  buildLimits,
  buildText,
  type EspManifest,
  firmwarePaths,
  type NewBuild,
  type Project,
  SharedVersionAnswer,
  sharedFirmwarePaths,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/database/database.ts';
import { crashReport } from '../../testing/crash-reports.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { noise } from '../../testing/noise.ts';
import { elfFile, releaseClient, type TestFile, type TestVersion } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';
import { buildEspImage, IRAM_ADDRESS } from './esp-image.ts';

type SentBuild = Pick<NewBuild, 'deviceModel' | 'files'> & Partial<NewBuild>;

const stmFlash = 0x0800_0000;

/** Returns a program for an STM32, for the start of its flash. */
function stmProgram(): Buffer {
  const program = Buffer.alloc(1_024, 0x42);
  for (const [at, word] of [0x2000_5000, stmFlash + 0x101, stmFlash + 0x101, stmFlash + 0x101].entries()) {
    program.writeUInt32LE(word, at * 4);
  }
  return program;
}

/** Returns a UF2 file (Microsoft, "UF2 Specification") for a series of STM32; the default family is STM32F4. */
function stmUf2(name = 'app.uf2', family = 0x57755a57): TestFile {
  const [program, payload] = [stmProgram(), 256];
  const total = program.length / payload;
  const blocks = Array.from({ length: total }, (_, number) => {
    const block = Buffer.alloc(512);
    const words = [0x0a324655, 0x9e5d5157, 0x2000, stmFlash + number * payload, payload, number, total, family];
    for (const [place, word] of words.entries()) {
      block.writeUInt32LE(word, place * 4);
    }
    program.copy(block, 32, number * payload, (number + 1) * payload);
    block.writeUInt32LE(0x0ab16f30, 508);
    return block;
  });
  return { name, bytes: Buffer.concat(blocks) };
}

/** Returns an application for an ESP32. */
const espImage = () =>
  Buffer.from(buildEspImage({ entry: IRAM_ADDRESS, segments: [{ address: IRAM_ADDRESS, data: Buffer.alloc(64, 7) }] }));

const file = (name: string, size = 50): TestFile => ({ name, bytes: noise(size) });

/** Returns the fields of a form with these builds. */
const withBuilds = (files: readonly TestFile[], builds: readonly SentBuild[], more: TestVersion = {}): TestVersion => ({
  files,
  builds: JSON.stringify(builds),
  ...more,
});

const at = (index: number, offset = '0x10000') => ({ index, offset });

describe.each(databaseKinds)('builds of a version on $name', ({ appPlace }) => {
  let place: DatabasePlace;
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let project: Project;

  beforeEach(async () => {
    place = await appPlace();
    const limits = { LIMIT_VERSIONS: '2', LIMIT_BUILDS: '4', LIMIT_UPLOADS_PER_USER: '4' };
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...limits, ...place.environment });
    owner = releaseClient(test.app, await test.bearer());
    project = await owner.newProject('Blinker', { deviceModel: 'esp32' });
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  async function publish(version: Version): Promise<void> {
    await owner.setProjectPublic(project._id, true);
    await owner.setVersionPublic(version._id, true);
  }

  const shared = async ({ shareId }: Pick<Version, 'shareId'>) =>
    SharedVersionAnswer.parse((await test.app.inject(sharedFirmwarePaths.item('version', shareId))).json()).version;

  async function refusal(version: TestVersion) {
    const answer = await owner.upload(project._id, version);
    return [answer.statusCode, answer.json().message];
  }

  const boards = (builds: readonly Build[] | undefined) =>
    builds?.map(({ deviceModel, guards }) => [deviceModel, guards]);

  it('are answered in their order with their files, the first one being that of the project', async () => {
    const files = [file('s3.bin'), file('boot.bin'), file('app.bin'), stmUf2()];
    const builds: readonly SentBuild[] = [
      { deviceModel: 'esp32s3', guards: { flashSize: 8_388_608, psram: true }, files: [at(0)] },
      { deviceModel: 'esp32', guards: { minRevision: 300 }, files: [at(2)] },
      { deviceModel: 'esp32', files: [at(2), at(1, '0x1000')] },
      { deviceModel: 'stm32f4', deviceFamily: 'stm', files: [{ index: 3 }] },
    ];
    const uploaded = await owner.upload(project._id, withBuilds(files, builds, { elf: elfFile() }));
    const { version } = VersionAnswer.parse(uploaded.json());
    expect(uploaded.json().version).toEqual(version);
    expect(boards(version.builds)).toEqual([
      ['esp32', {}],
      ['esp32s3', { flashSize: 8_388_608, psram: true }],
      ['esp32', { minRevision: 300 }],
      ['stm32f4', {}],
    ]);
    const named = version.builds?.map((build) => build.files.map(({ fileName, offset }) => `${fileName} ${offset}`));
    expect(named).toEqual([
      ['boot.bin 0x1000', 'app.bin 0x10000'],
      ['s3.bin 0x10000'],
      ['app.bin 0x10000'],
      ['app.uf2 0x8000000'],
    ]);
    expect(version.files).toEqual(version.builds?.[0]?.files);
    expect(version.builds?.every(({ writeCount, crashes }) => writeCount === 0 && crashes === 0)).toBe(true);
    await publish(version);
    const public_ = await shared(version);
    expect(public_.builds).toEqual(version.builds?.map(({ crashes: _crashes, ...build }) => build));
    expect((await owner.projects())[0]?.versions[0]?.builds).toEqual(version.builds);
  });

  it('are left out for what the simple form can describe', async () => {
    const files = [file('app.bin'), file('boot.bin')];
    const version = await owner.newVersion(
      project._id,
      withBuilds(files, [{ deviceModel: 'esp32', files: [at(0), at(1, '0x1000')] }]),
    );
    expect(version).not.toHaveProperty('builds');
    expect(version.files.map(({ fileName }) => fileName)).toEqual(['boot.bin', 'app.bin']);
  });

  it('are missing if their field is empty, as forms of pages send it', async () => {
    const version = await owner.newVersion(project._id, {
      files: [file('app.bin')],
      builds: '',
      offsets: '["0x10000"]',
    });
    expect(version).not.toHaveProperty('builds');
  });

  it('are kept for more than four files, and for a guard', async () => {
    const files = Array.from({ length: buildLimits.files }, (_, index) => file(`${index}.bin`));
    const all = files.map((_, index) => at(index, `0x${((index + 1) * 0x10000).toString(16)}`));
    const many = await owner.newVersion(project._id, withBuilds(files, [{ deviceModel: 'esp32', files: all }]));
    expect(many.builds?.[0]?.files).toHaveLength(16);
    const guarded = await owner.newVersion(
      project._id,
      withBuilds([file('app.bin')], [{ deviceModel: 'esp32', guards: { psram: false }, files: [at(0)] }], {
        version: '2',
      }),
    );
    expect(boards(guarded.builds)).toEqual([['esp32', { psram: false }]]);
  });

  it.each<[string, TestVersion, string]>([
    ['no build', withBuilds([file('a.bin')], []), 'At least one firmware file with offset is required'],
    [
      'more builds than the limit',
      withBuilds(
        [file('a.bin')],
        Array.from({ length: 5 }, (_, minRevision) => ({
          deviceModel: 'esp32',
          guards: { minRevision },
          files: [at(0)],
        })),
      ),
      buildText.limit(4),
    ],
    [
      'a build without a file',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32c5', files: [] }]),
      buildText.noFile('ESP32-C5'),
    ],
    [
      'a seventeenth file',
      withBuilds(
        Array.from({ length: 17 }, (_, index) => file(`${index}.bin`)),
        [{ deviceModel: 'esp32', files: Array.from({ length: 17 }, (_, index) => at(index, `0x${index + 1}0000`)) }],
      ),
      buildText.fileLimit,
    ],
    [
      'a file that is not there',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32', files: [at(1)] }]),
      buildText.unknownFile(1),
    ],
    [
      'a file of no build',
      withBuilds([file('a.bin'), file('b.bin')], [{ deviceModel: 'esp32', files: [at(0)] }]),
      buildText.unusedFile('b.bin'),
    ],
    [
      'two builds for the same boards',
      withBuilds(
        [file('a.bin')],
        [
          { deviceModel: 'esp32', guards: { psram: true, flashSize: 1 }, files: [at(0)] },
          { deviceModel: 'esp32', guards: { flashSize: 1, psram: true }, files: [at(0)] },
        ],
      ),
      buildText.same('ESP32'),
    ],
    [
      'no build for the model of the project',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32s3', files: [at(0)] }]),
      buildText.noProjectModel('ESP32'),
    ],
    [
      'an offset without a prefix',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32', files: [at(0, '10000')] }]),
      'The offset of "a.bin" has no 0x prefix. Use 0x10000.',
    ],
    [
      'a .bin without an offset',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32', files: [{ index: 0 }] }]),
      '"a.bin" needs an offset, such as 0x10000.',
    ],
    [
      'offsets beside them',
      withBuilds([file('a.bin')], [{ deviceModel: 'esp32', files: [at(0)] }], { offsets: '["0x0"]' }),
      buildText.noOffsets,
    ],
    [
      'files that overlap',
      withBuilds([file('a.bin', 9_000), file('b.bin')], [{ deviceModel: 'esp32', files: [at(0), at(1, '0x11000')] }]),
      '"a.bin" and "b.bin" overlap',
    ],
    ['text that is no list', withBuilds([file('a.bin')], [], { builds: '[' }), 'builds must be a JSON list of builds'],
    [
      'an image for another chip',
      withBuilds(
        [file('a.bin'), { name: 'c3.bin', bytes: espImage() }],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'esp32c3', files: [at(1)] },
        ],
      ),
      '"c3.bin" was built for ESP32, but this build is for ESP32-C3.',
    ],
    [
      'a UF2 file for another series',
      withBuilds(
        [file('a.bin'), stmUf2('f1.uf2', 0x5ee21072)],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'stm32f4', files: [{ index: 1 }] },
        ],
      ),
      '"f1.uf2" was built for STM32F1, but this build is for STM32F4.',
    ],
    [
      'a HEX file that cannot be read',
      withBuilds(
        [file('a.bin'), { name: 'app.hex', bytes: Buffer.from(':020000040800F3\n') }],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'stm32f4', files: [{ index: 1 }] },
        ],
      ),
      '"app.hex": Line 1: The checksum',
    ],
    [
      'a plain program for a Nordic chip',
      withBuilds(
        [file('a.bin'), { name: 'app.bin', bytes: stmProgram() }],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'nrf52840', files: [{ index: 1 }] },
        ],
      ),
      '"app.bin": ',
    ],
  ])('are refused with %s, and nothing is kept', async (_name, version, sentence) => {
    const [status, message] = await refusal(version);
    expect([status, message]).toEqual([400, expect.stringContaining(sentence.slice(0, 40))]);
    expect((await owner.projects())[0]?.versions).toEqual([]);
  });

  it('have files of firmware only, and may come after .bin files, but before others', async () => {
    const builds: readonly SentBuild[] = [{ deviceModel: 'esp32', files: [at(0)] }];
    expect(await refusal(withBuilds([file('notes.txt')], builds))).toEqual([415, buildText.formats('notes.txt')]);
    expect(
      (await owner.upload(project._id, withBuilds([file('a.bin')], builds, { filesFirst: true }))).statusCode,
    ).toBe(201);
    const late = withBuilds([stmUf2()], builds, { filesFirst: true, version: '2' });
    expect((await owner.upload(project._id, late)).statusCode).toBe(415);
  });

  it('may have damaged images whose names the publisher has confirmed', async () => {
    const image = espImage();
    image[30] = (image[30] ?? 0) ^ 1;
    const version = withBuilds(
      [{ name: 'app.bin', bytes: image }],
      [{ deviceModel: 'esp32', guards: { psram: true }, files: [at(0)] }],
    );
    const answer = await owner.upload(project._id, version);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'files-damaged']);
    expect((await owner.upload(project._id, { ...version, acceptDamaged: '["app.bin"]' })).statusCode).toBe(201);
  });

  it('are in the manifest: all of them in our key, and for ESP Web Tools those that they can write', async () => {
    const files = [file('app.bin'), file('usb.bin'), file('psram.bin'), stmUf2()];
    const version = await owner.newVersion(
      project._id,
      withBuilds(files, [
        { deviceModel: 'esp32', files: [at(0), at(1, '0x110000')] },
        { deviceModel: 'esp32s3', guards: { connection: 'usb' }, files: [at(1)] },
        { deviceModel: 'esp32s3', guards: { psram: true }, files: [at(2)] },
        { deviceModel: 'stm32f4', files: [{ index: 3 }] },
      ]),
    );
    await publish(version);
    const manifest = (
      await test.app.inject(sharedFirmwarePaths.manifest('version', version.shareId))
    ).json<EspManifest>();
    const [esp32, usb] = version.builds ?? [];
    const pathsOf = (build: Build | undefined) => build?.files.map(({ _id }) => `files/${_id}`);
    expect(manifest.builds).toEqual([
      {
        chipFamily: 'ESP32',
        parts: [
          { path: pathsOf(esp32)?.[0], offset: 0x10000 },
          { path: pathsOf(esp32)?.[1], offset: 0x110000 },
        ],
      },
      { chipFamily: 'ESP32-S3', serialType: 'cdc', parts: [{ path: pathsOf(usb)?.[0], offset: 0x10000 }] },
    ]);
    expect(manifest.wirebench).toEqual({
      publisher: 'maker',
      shareId: version.shareId,
      builds: version.builds?.map(({ _id, deviceFamily, deviceModel, guards, files: own }) => ({
        _id,
        deviceFamily,
        deviceModel,
        guards,
        files: own.map(({ _id: fileId, fileName, offset, size, sha256 }) => ({
          path: `files/${fileId}`,
          fileName,
          offset,
          size,
          sha256,
        })),
      })),
    });
    const ofProject = await test.app.inject(sharedFirmwarePaths.manifest('project', project.shareId));
    expect(ofProject.json()).toEqual(manifest);
  });

  it('are for an Arduino board with the sketch and its EEPROM data, and not with its bootloader', async () => {
    project = await owner.newProject('Blink', { deviceFamily: 'avr', deviceModel: 'uno' });
    const hex = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
    const sketch = hex('Blink.ino.hex', ':020000000C945E\n:00000001FF\n');
    const eeprom = hex('Blink.ino.eep', ':0400000001020304F2\n:00000001FF\n');
    const builds: readonly SentBuild[] = [{ deviceModel: 'uno', files: [{ index: 0 }, { index: 1 }] }];
    const uploaded = await owner.upload(project._id, withBuilds([sketch, eeprom], builds));
    expect(VersionAnswer.parse(uploaded.json()).version.builds).toMatchObject([
      {
        deviceModel: 'uno',
        files: [
          { fileName: 'Blink.ino.hex', offset: '0x0' },
          { fileName: 'Blink.ino.eep', offset: '0x810000' },
        ],
      },
    ]);
    const whole = hex('Blink.ino.with_bootloader.hex', ':020000000C945E\n:00000001FF\n');
    const refused = await owner.upload(
      project._id,
      withBuilds([whole], [{ deviceModel: 'uno', files: [{ index: 0 }] }], { version: '2.0.0' }),
    );
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      expect.stringContaining('contains a bootloader, which a bootloader cannot write over itself'),
    ]);
  });

  it.each([
    ['esp8266', [{ chipFamily: 'ESP8266', parts: [expect.anything()] }]],
    ['esp32h21', []],
    ['stm32f4', []],
  ])('need not be several for a manifest of %s', async (deviceModel, builds) => {
    const isStm = deviceModel.startsWith('stm');
    project = await owner.newProject('Other', { deviceFamily: isStm ? 'stm' : 'esp', deviceModel });
    const form = isStm
      ? { files: [{ name: 'app.bin', bytes: stmProgram() }], offsets: '["0x08000000"]' }
      : { files: [file('app.bin')], offsets: '["0x10000"]' };
    const version = await owner.newVersion(project._id, form);
    expect(version).not.toHaveProperty('builds');
    await publish(version);
    const manifest = (
      await test.app.inject(sharedFirmwarePaths.manifest('version', version.shareId))
    ).json<EspManifest>();
    expect(manifest.builds).toEqual(builds);
    expect(manifest.wirebench?.builds).toMatchObject([{ deviceModel, guards: {}, files: [{ fileName: 'app.bin' }] }]);
  });

  it('count their flashes and crashes each, beside those of the version', async () => {
    const version = await owner.newVersion(
      project._id,
      withBuilds(
        [file('a.bin'), file('b.bin')],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'esp32c3', files: [at(1)] },
        ],
      ),
    );
    await publish(version);
    const [first = '', second = ''] = version.builds?.map(({ _id }) => _id) ?? [];
    const flash = (payload: object) =>
      test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(version.shareId), payload });
    const crash = (changes: Parameters<typeof crashReport>[0]) =>
      test.app.inject({
        method: 'POST',
        url: sharedFirmwarePaths.crashes(version.shareId),
        payload: crashReport(changes),
      });
    for (const body of [{ buildId: first }, { buildId: second }, { buildId: second }, { buildId: randomUUID() }, {}]) {
      expect((await flash({ result: 'success', chip: 'ESP32', ...body })).statusCode).toBe(204);
    }
    await flash({ result: 'failure', errorCode: 'wrong-chip', buildId: second });
    expect((await flash({ buildId: 'first' })).statusCode).toBe(400);
    const again = randomUUID();
    for (const buildId of [first, second, randomUUID()]) {
      expect((await crash({ buildId })).statusCode).toBe(204);
    }
    await crash({ id: again, buildId: second });
    await crash({ id: again, buildId: second });
    await crash({});

    const visible = await shared(version);
    expect([visible.writeCount, visible.builds?.map(({ writeCount }) => writeCount)]).toEqual([5, [1, 2]]);
    const { flashes } = (await owner.get(firmwarePaths.versionFlashes(version._id))).json();
    expect(flashes).toMatchObject({
      successes: 5,
      failures: 1,
      builds: [
        { buildId: first, successes: 1, failures: 0 },
        { buildId: second, successes: 2, failures: 1 },
      ],
    });
    const [own] = (await owner.projects())[0]?.versions ?? [];
    expect([own?.writeCount, own?.crashes]).toEqual([5, 5]);
    expect(own?.builds?.map(({ writeCount, crashes }) => [writeCount, crashes])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const { crashes } = (await owner.get(firmwarePaths.versionCrashes(version._id))).json();
    expect(crashes[0].builds).toEqual([
      { buildId: second, count: 2 },
      { buildId: first, count: 1 },
    ]);
    const found = (await owner.get(firmwarePaths.versionCrash(version._id, crashes[0].fingerprint))).json();
    expect(found.crash.builds).toEqual(crashes[0].builds);
    const builds = found.crash.examples.map(({ buildId }: { buildId?: string }) => buildId);
    expect(builds).toContain(second);
  });

  it('have an ELF file of any of their families', async () => {
    const version = await owner.newVersion(
      project._id,
      withBuilds(
        [file('a.bin'), stmUf2()],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'stm32f4', files: [{ index: 1 }] },
        ],
      ),
    );
    expect((await owner.uploadElf(version._id, elfFile('arm', { machine: 40 }))).statusCode).toBe(200);
    expect((await owner.uploadElf(version._id, elfFile('other', { machine: 62 }))).statusCode).toBe(400);
  });

  it('leave nothing behind when their version is replaced, or deleted', async () => {
    const { DATABASE_URL: url } = place.environment;
    const blobs = () => filesIn(join(test.dataDir, 'firmware', 'blobs'));
    const before = (await blobs()).length;
    const form = (version: string) =>
      withBuilds(
        [file('a.bin'), file('b.bin')],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'esp32c3', files: [at(0), at(1, '0x110000')] },
        ],
        { version },
      );
    const versions = [await owner.newVersion(project._id, form('1')), await owner.newVersion(project._id, form('2'))];
    await publish(versions[0] as Version);
    const payload = { buildId: versions[0]?.builds?.[1]?._id };
    const { shareId = '' } = versions[0] ?? {};
    await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(shareId), payload });
    await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.crashes(shareId), payload: crashReport(payload) });
    await owner.projects();
    expect((await blobs()).length).toBe(before + 4);
    const third = await owner.upload(project._id, { ...form('3'), replaceOldest: 'true' });
    expect(third.statusCode).toBe(201);
    await expect.poll(async () => (await blobs()).length).toBe(before + 4);
    for (const id of [versions[1]?._id ?? '', third.json().version._id]) {
      expect((await owner.remove(firmwarePaths.version(id))).statusCode).toBe(204);
    }
    await expect.poll(async () => (await blobs()).length).toBe(before);
    await using opened = await openDatabase(
      url === undefined ? { path: join(test.dataDir, 'wirebench.sqlite') } : place.options,
    );
    for (const table of ['firmware_builds', 'firmware_build_flashes', 'crash_builds'] as const) {
      expect(await opened.queries.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });

  it('take the last places of a project with all their bytes when uploaded at once', async () => {
    const form = (version: string) =>
      withBuilds(
        [file('a.bin'), file('b.bin')],
        [
          { deviceModel: 'esp32', files: [at(0)] },
          { deviceModel: 'esp32c3', files: [at(1)] },
        ],
        { version },
      );
    const answers = await Promise.all(['1', '2', '3', '4'].map((version) => owner.upload(project._id, form(version))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 422, 422]);
    const stored = (await owner.projects())[0]?.versions ?? [];
    expect(stored.map(({ builds }) => builds?.length)).toEqual([2, 2]);
    for (const version of stored) {
      for (const { _id } of version.builds?.flatMap(({ files }) => files) ?? []) {
        expect((await owner.get(firmwarePaths.versionFile(version._id, _id))).statusCode).toBe(200);
      }
    }
  });

  it('give every byte back, whatever files they share', async () => {
    const models = ['esp32', 'esp32s3', 'esp32c5', 'esp8266'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        async (contents, choices) => {
          // A first byte that begins no image, so that nothing is refused for its contents.
          const files = contents.map((bytes, index) => ({ name: `${index}.bin`, bytes: Buffer.from([1, ...bytes]) }));
          const builds = choices.map((choice, index) => {
            const chosen = choice.filter((one) => one < files.length);
            const rest = index === 0 ? files.map((_, one) => one) : chosen.length === 0 ? [0] : chosen;
            return {
              deviceModel: models[index] ?? 'esp32',
              guards: { flashSize: 1_048_576 },
              files: rest.map((one) => at(one, `0x${((one + 1) * 0x10000).toString(16)}`)),
            };
          });
          const version = await owner.newVersion(project._id, withBuilds(files, builds));
          await publish(version);
          expect(version.builds?.map((build) => build.files.map(({ fileName }) => fileName))).toEqual(
            builds.map((build) => build.files.map(({ index }) => `${index}.bin`)),
          );
          for (const { _id, fileName } of version.builds?.flatMap((build) => build.files) ?? []) {
            const answer = await test.app.inject(sharedFirmwarePaths.file('version', version.shareId, _id));
            const expected = files.find(({ name }) => name === fileName)?.bytes;
            expect(answer.rawPayload.equals(expected ?? Buffer.alloc(0))).toBe(true);
          }
          await owner.remove(firmwarePaths.version(version._id));
        },
      ),
      { numRuns: 15 },
    );
  });
});
