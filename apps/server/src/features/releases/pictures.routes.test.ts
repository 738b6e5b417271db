/**
 * The sentence and the picture of a project: access, limits, and removal of the bytes, on every database and every
 * store. The long run has all pairs of them.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { firmwarePaths, type PictureTheme, type Project, picturePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/database/database.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { jpegFile, pngFile, webpFile } from '../../testing/pictures.ts';
import { findRecordFaults } from '../../testing/record-faults.ts';
import { firmwareFile, releaseClient } from '../../testing/release-client.ts';
import { createBucket, hasS3 } from '../../testing/s3-bucket.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const png = pngFile();
const sentence = 'Measures your garden, and shows it in the kitchen.';

const stores = hasS3 ? ['folder', 'S3'] : ['folder'];
const pairs = databaseKinds.flatMap((database, row) =>
  stores.map((store, column) => ({ database, store, isOnDiagonal: row === column })),
);
/** The diagonal has every database and every store once if there are as many of both. */
const places =
  isLong || databaseKinds.length !== stores.length ? pairs : pairs.filter(({ isOnDiagonal }) => isOnDiagonal);

describe.each(places)('the page of a project on $database.name and $store', ({ database, store }) => {
  let place: DatabasePlace;
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let stranger: ReturnType<typeof releaseClient>;
  let stored: () => Promise<readonly string[]>;
  let before: readonly string[];
  let project: Project;

  beforeEach(async () => {
    place = await (store === 'S3' ? database.place() : database.appPlace());
    const bucket = store === 'S3' ? await createBucket() : null;
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...place.environment, ...bucket?.environment });
    stored = async () =>
      ((await bucket?.keys()) ?? (await filesIn(join(test.dataDir, 'firmware', 'blobs')))).toSorted();
    owner = releaseClient(test.app, await test.bearer());
    stranger = releaseClient(test.app, await test.bearer({ sub: 'subject-of-other', preferred_username: 'other' }));
    project = await owner.newProject();
    before = await stored();
  }, 60_000);

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const page = (body: object, who = owner) => who.post(picturePaths.page(project._id), body);
  const own = (theme?: PictureTheme, who = owner) => who.get(picturePaths.own(project._id, theme));
  const shared = (theme: PictureTheme = 'light') =>
    test.app.inject(picturePaths.shared('project', project.shareId, theme));
  const known = async () => (await owner.projects())[0] as Project;
  const add = (bytes: Uint8Array, { text = 'A node in a garden', theme = 'light' as PictureTheme } = {}) =>
    owner.uploadPicture(project._id, { name: 'node.png', bytes }, { text, theme });

  it('says one sentence of 20 to 120 characters, or none', async () => {
    const changed = await page({ sentence: ` ${sentence} ` });
    expect([changed.statusCode, changed.json().project.sentence]).toEqual([200, sentence]);
    expect((await known()).sentence).toBe(sentence);
    for (const wrong of ['Too short to say', 'x'.repeat(121), 'Two lines of text\nare not one sentence.', 7]) {
      expect([wrong, (await page({ sentence: wrong })).statusCode]).toEqual([wrong, 400]);
    }
    expect((await page({ sentence: 'Another sentence of mine.' }, stranger)).statusCode).toBe(404);
    await owner.setProjectPublic(project._id, true);
    const answer = await test.app.inject(sharedFirmwarePaths.item('project', project.shareId));
    expect(answer.json().project.sentence).toBe(sentence);
    expect((await page({ sentence: null })).json().project).not.toHaveProperty('sentence');
    expect(await known()).not.toHaveProperty('sentence');
  });

  it('has a picture, which its owner reads at once, and everyone else once it is public', async () => {
    const added = await add(png);
    expect([added.statusCode, added.json().project.picture]).toEqual([
      200,
      {
        text: 'A node in a garden',
        light: { type: 'image/png', width: 1_600, height: 1_172, size: png.length, sha256: hashOf(png) },
      },
    ]);
    expect((await known()).picture).toEqual(added.json().project.picture);
    const mine = await own();
    expect([mine.statusCode, mine.rawPayload.equals(png)]).toEqual([200, true]);
    expect((await own('light', stranger)).statusCode).toBe(404);
    expect((await test.app.inject(picturePaths.own(project._id))).statusCode).toBe(401);
    expect((await shared()).statusCode).toBe(404);
    await owner.setProjectPublic(project._id, true);
    const seen = await shared();
    expect([seen.statusCode, seen.rawPayload.equals(png)]).toEqual([200, true]);
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      etag: `"${hashOf(png)}"`,
      'access-control-allow-origin': '*',
    });
    expect(seen.headers['content-security-policy']).toContain("default-src 'none'");
    // A link to a version shows the same picture, and only while the version is public.
    const version = await owner.newVersion(project._id, { files: [firmwareFile] });
    const ofVersion = () => test.app.inject(picturePaths.shared('version', version.shareId, 'light'));
    expect((await ofVersion()).statusCode).toBe(404);
    await owner.setVersionPublic(version._id, true);
    expect((await ofVersion()).statusCode).toBe(200);
    await owner.setProjectPublic(project._id, false);
    expect([(await shared()).statusCode, (await ofVersion()).statusCode]).toEqual([404, 404]);
  });

  it('has a picture for each theme, which are replaced and removed without bytes left behind', async () => {
    const [dark, other] = [jpegFile({ width: 3_200, height: 2_344 }), webpFile('lossy')];
    await add(png);
    expect((await add(dark, { theme: 'dark', text: 'A node at night' })).json().project.picture).toMatchObject({
      text: 'A node at night',
      light: { type: 'image/png' },
      dark: { type: 'image/jpeg', width: 3_200 },
    });
    expect(await stored()).toHaveLength(before.length + 2);
    expect((await own('dark')).headers['content-type']).toBe('image/jpeg');
    expect((await add(other)).json().project.picture.light.type).toBe('image/webp');
    await expect.poll(stored).toHaveLength(before.length + 2);
    const removed = await owner.remove(picturePaths.own(project._id, 'light'));
    expect(removed.json().project.picture).not.toHaveProperty('light');
    expect((await own('light')).statusCode).toBe(404);
    await owner.remove(picturePaths.own(project._id, 'dark'));
    // Removing nothing changes nothing.
    expect((await owner.remove(picturePaths.own(project._id, 'dark'))).statusCode).toBe(200);
    expect(await known()).not.toHaveProperty('picture');
    await expect.poll(stored).toEqual(before);
    const history = (await owner.get(firmwarePaths.projectHistory(project._id))).json().history;
    expect(history.map(({ action }: { action: string }) => action).slice(0, 5)).toEqual([
      'project-picture-removed',
      'project-picture-removed',
      'project-picture-added',
      'project-picture-added',
      'project-picture-added',
    ]);
  });

  it('needs an alternative text, which can be changed alone', async () => {
    const without = await owner.uploadPicture(project._id, { name: 'a.png', bytes: png }, { theme: 'light' });
    expect([without.statusCode, without.json().message]).toEqual([
      400,
      'The picture needs an alternative text: say what it shows',
    ]);
    await add(png);
    // The text of the picture stays for the other theme.
    const second = await owner.uploadPicture(project._id, { name: 'b.png', bytes: png }, { theme: 'dark' });
    expect(second.json().project.picture.text).toBe('A node in a garden');
    expect((await page({ pictureText: 'A node between tomatoes' })).json().project.picture.text).toBe(
      'A node between tomatoes',
    );
    expect((await page({ pictureText: '' })).statusCode).toBe(400);
  });

  it('refuses what is not a picture of a release by its bytes, and keeps the one that it has', async () => {
    await add(png);
    const kept = await stored();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [bytes, status, message] of [
      [svg, 400, '"node.png" is not a picture: PNG, JPEG, WebP and AVIF can be shown'],
      [png.subarray(0, png.length - 6), 400, '"node.png" is damaged or not complete'],
      [
        pngFile({ width: 1_599, height: 1_172 }),
        400,
        '"node.png" has 1599 × 1172 pixels: it needs at least 1600 × 1172',
      ],
      [pngFile({ width: 8_000, height: 4_000 }), 400, '"node.png" has more than 24 million pixels'],
      [webpFile('extended', undefined, { moving: true }), 400, '"node.png" moves: choose a still picture'],
      [Buffer.concat([png, Buffer.alloc(2 * 1_024 * 1_024)]), 413, '"node.png" is larger than 2 MB'],
    ] as const) {
      const answer = await add(bytes);
      expect([answer.statusCode, answer.json().message]).toEqual([status, message]);
    }
    const wrongTheme = await owner.uploadPicture(
      project._id,
      { name: 'a.png', bytes: png },
      { theme: 'blue' as 'dark' },
    );
    expect(wrongTheme.statusCode).toBe(400);
    expect(
      (await stranger.uploadPicture(project._id, { name: 'a.png', bytes: png }, { text: 'Mine' })).statusCode,
    ).toBe(404);
    expect(await stored()).toEqual(kept);
    expect((await known()).picture?.light?.sha256).toBe(hashOf(png));
  });

  it('loses its picture with the project, but not while other files have the same bytes', async () => {
    const second = await owner.newProject('Second');
    await add(png);
    await owner.uploadPicture(second._id, { name: 'b.png', bytes: png }, { text: 'The same' });
    expect(await stored()).toHaveLength(before.length + 1);
    expect((await owner.remove(firmwarePaths.project(project._id))).statusCode).toBe(204);
    expect((await owner.get(picturePaths.own(second._id))).statusCode).toBe(200);
    expect((await owner.remove(firmwarePaths.project(second._id))).statusCode).toBe(204);
    await expect.poll(stored).toEqual(before);
    const limits = { projects: 5, versions: 3, jkits: 5 };
    const opened = await openDatabase(
      place.environment['DATABASE_URL'] === undefined
        ? { path: join(test.dataDir, 'wirebench.sqlite') }
        : place.options,
    );
    try {
      expect(await opened.queries.selectFrom('firmware_pictures').selectAll().execute()).toEqual([]);
      // Its files are those of the folder.
      if (store === 'folder') {
        expect(await findRecordFaults(opened.queries, test.dataDir, limits)).toEqual([]);
      }
    } finally {
      await opened.close();
    }
  });
});
