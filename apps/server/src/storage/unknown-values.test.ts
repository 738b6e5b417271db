/**
 * Rows that a newer version of the product has written, while servers of two versions run on one database. The older one
 * leaves out what it does not know; no answer fails, and nothing is shown as what it is not.
 */
import { join } from 'node:path';
import { firmwarePaths, jkitPaths, moderationPaths, sharedFirmwarePaths, tokenPaths } from '@wirebench/contract';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, databaseKinds } from '../testing/databases.ts';
import { operatorOf, publisherIn, report } from '../testing/moderation.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { openDatabase } from './database/database.ts';

let place: DatabasePlace;
let test: TestApp;
let maker: Awaited<ReturnType<typeof publisherIn>>;

async function change(...statements: readonly RawBuilder<unknown>[]): Promise<void> {
  const isOnServer = place.environment['DATABASE_URL'] !== undefined;
  await using database = await openDatabase(
    isOnServer ? place.options : { path: join(test.dataDir, 'wirebench.sqlite') },
  );
  for (const statement of statements) {
    await statement.execute(database.queries);
  }
}

const build = '01a21d27-5a22-7a8c-9aac-4ac9d5385a40';

/** Statements by the table and column that gets a value that this version does not know. */
const changes: Readonly<Record<string, readonly RawBuilder<unknown>[]>> = {
  'the family of a project': [sql`update firmware_projects set device_family = 'rp2', device_model = 'rp2040'`],
  'the chip of a project': [sql`update firmware_projects set device_model = 'esp32zz'`],
  'the channel of a version': [sql`update firmware_versions set channel = 'nightly'`],
  'the line ending of a version': [
    sql`update firmware_versions set console_line_ending = 'lfcr', console_baud_rate = 9600`,
  ],
  'the chip of a build': [
    sql`insert into firmware_builds (id, version_id, position, device_family, device_model)
      select ${build}, id, 0, 'rp2', 'rp2040' from firmware_versions where project_id in
      (select id from firmware_projects where subject = 'subject-of-maker')`,
    sql`update firmware_files set build_id = ${build} where version_id in (select version_id from firmware_builds where id = ${build})`,
  ],
  'the connection of a build': [
    sql`insert into firmware_builds (id, version_id, position, device_family, device_model, connection)
      select ${build}, id, 0, 'esp', 'esp32', 'jtag' from firmware_versions where project_id in
      (select id from firmware_projects where subject = 'subject-of-maker')`,
    sql`update firmware_files set build_id = ${build} where version_id in (select version_id from firmware_builds where id = ${build})`,
  ],
  'what changed in a project': [sql`update firmware_history set action = 'version-signed'`],
  'the result of flashes': [
    sql`insert into firmware_flashes (version_id, result, chip, error_code, count)
      select id, 'cancelled', '', '', 3 from firmware_versions`,
  ],
  'the type of jkits': [sql`update jkits set type = 'logic'`],
  'what withholds an item': [
    sql`update firmware_projects set withheld = 'quarantined', withheld_reason = 'x', is_public = 0`,
    sql`update firmware_versions set withheld = 'quarantined', withheld_reason = 'x', is_public = 0`,
    sql`update jkits set withheld = 'quarantined', withheld_reason = 'x', shared = 0 where owner is not null`,
  ],
  'the reason of a report': [sql`update reports set reason = 'phishing'`],
  'the item of a report': [sql`update reports set item_type = 'account'`],
  'what an operator did': [sql`update moderation_log set action = 'warned'`],
};

describe.each(databaseKinds)('a value that only a newer server knows, on $name', ({ appPlace }) => {
  beforeEach(async () => {
    place = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...place.environment });
    maker = await publisherIn(test);
    const operator = await operatorOf(test);
    await report(test, { type: 'project', id: maker.project.shareId, reason: 'harmful', note: '' });
    await operator.takeDown('jkit', maker.jkit._id, 'x');
    await operator.restore('jkit', maker.jkit._id);
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  /** Returns the status of every reading call, by address. */
  async function statuses(): Promise<Map<string, number>> {
    const { project, version, jkit, headers } = maker;
    const { headers: operator } = await operatorOf(test);
    const ofOwner = [
      firmwarePaths.projects,
      firmwarePaths.versions(project._id),
      firmwarePaths.projectHistory(project._id),
      `${firmwarePaths.projectHistory(project._id)}?format=csv`,
      firmwarePaths.versionFlashes(version._id),
      firmwarePaths.versionCrashes(version._id),
      firmwarePaths.versionFile(version._id, version.files[0]?._id ?? ''),
      jkitPaths.jkits,
      jkitPaths.starred,
      jkitPaths.jkit(jkit._id),
      `${jkitPaths.search}?q=modem`,
      tokenPaths.tokens,
    ];
    const ofOperator = [
      moderationPaths.reports,
      moderationPaths.audit,
      moderationPaths.accounts,
      ...['project', 'version', 'jkit'].map((type) => `${moderationPaths.items}?type=${type}`),
    ];
    const ofAnybody = (['project', 'version'] as const).flatMap((type) => {
      const { shareId } = type === 'project' ? project : version;
      return [
        sharedFirmwarePaths.item(type, shareId),
        `${sharedFirmwarePaths.item(type, shareId)}?channel=beta`,
        sharedFirmwarePaths.manifest(type, shareId),
        sharedFirmwarePaths.badge(type, shareId),
        `/release.html?id=${shareId}&type=${type}`,
      ];
    });
    const calls = [
      ...ofOwner.map((url) => ({ url, headers })),
      ...ofOperator.map((url) => ({ url, headers: operator })),
      ...ofAnybody.map((url) => ({ url, headers: {} })),
    ];
    const found = new Map<string, number>();
    for (const call of calls) {
      found.set(call.url, (await test.app.inject(call)).statusCode);
    }
    // Writes that read the row first.
    const written = [
      maker.client.post(firmwarePaths.projectDescription(project._id), { description: 'Another' }),
      maker.client.setVersionPublic(version._id, true),
      maker.client.upload(project._id, { version: '9' }),
      maker.client.uploadElf(version._id, { name: 'a.elf', bytes: Buffer.from('no ELF') }),
      test.app.inject({ method: 'PUT', url: jkitPaths.jkit(jkit._id), headers, payload: { name: 'Renamed' } }),
      test.app.inject({ method: 'POST', url: jkitPaths.star(jkit._id), headers }),
    ];
    for (const [at, answer] of written.entries()) {
      found.set(`write ${at}`, (await answer).statusCode);
    }
    return found;
  }

  it.each(Object.keys(changes))('in %s fails no answer', async (name) => {
    await change(...(changes[name] ?? []));
    const failed = [...(await statuses())].filter(([, status]) => status >= 500);
    expect(failed).toEqual([]);
  });

  it.each(['the family of a project', 'the chip of a build', 'the connection of a build'])(
    'in %s offers nothing for flashing that could be for another board',
    async (name) => {
      await change(...(changes[name] ?? []));
      for (const type of ['project', 'version'] as const) {
        const { shareId } = type === 'project' ? maker.project : maker.version;
        for (const url of [sharedFirmwarePaths.item(type, shareId), sharedFirmwarePaths.manifest(type, shareId)]) {
          const answer = await test.app.inject(url);
          expect(answer.body, url).not.toContain(maker.version.files[0]?._id ?? '-');
          expect(answer.body, url).not.toContain('.bin');
        }
      }
    },
  );

  it('in the channel of a version keeps it from those who follow the stable link', async () => {
    await change(...(changes['the channel of a version'] ?? []));
    const { shareId } = maker.project;
    expect((await test.app.inject(sharedFirmwarePaths.item('project', shareId))).json().project.versions).toEqual([]);
    const beta = await test.app.inject(`${sharedFirmwarePaths.item('project', shareId)}?channel=beta`);
    expect(beta.json().project.versions).toMatchObject([{ channel: 'beta' }]);
  });
});
