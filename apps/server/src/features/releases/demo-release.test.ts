import { releasePath } from '@wirebench/boards';
import { apiPaths, demoReleaseId, PublicConfig, SharedVersionAnswer, sharedFirmwarePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { buildTestApp } from '../../testing/test-app.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { demoFiles } from './releases.ts';

describe('the demo release', () => {
  it('is there from the first start on, where the configuration leads without other firmware, marked as what it is', async () => {
    await using server = await startTestServer({ PROBE_RELEASE: 'off' });
    const read = async (path: string) => JSON.parse(await (await fetch(server.address + path)).text());
    const { latestReleaseUrl } = PublicConfig.parse(await read(apiPaths.config));
    expect(latestReleaseUrl).toBe(`${server.address}${releasePath('version', demoReleaseId)}`);
    const { project, version } = SharedVersionAnswer.parse(
      await read(sharedFirmwarePaths.item('version', demoReleaseId)),
    );
    expect(project).toMatchObject({
      name: 'Wirebench demo',
      publisher: 'wirebench',
      demo: true,
      deviceFamily: 'esp',
      deviceModel: 'esp32',
    });
    expect(version).toMatchObject({ version: '1.0.0', console: { baudRate: 115_200, lineEnding: 'crlf' } });
    // The files that an empty board needs to start.
    expect(version.files).toMatchObject([
      { fileName: 'bootloader.bin', offset: '0x1000' },
      { fileName: 'partition-table.bin', offset: '0x8000' },
      { fileName: 'wirebench-demo.bin', offset: '0x10000' },
    ]);
    for (const [index, { _id: id }] of version.files.entries()) {
      const file = sharedFirmwarePaths.file('version', demoReleaseId, id);
      const bytes = new Uint8Array(await (await fetch(server.address + file)).arrayBuffer());
      expect(bytes).toEqual(new Uint8Array(demoFiles()[index]?.bytes ?? []));
    }

    await server.restart();
    expect(await read(sharedFirmwarePaths.item('version', demoReleaseId))).toEqual({ project, version });
    expect((await read(sharedFirmwarePaths.item('project', demoReleaseId))).project.versions).toEqual([version]);
  });

  it('is left out where another release takes its place and sign-in is elsewhere', async () => {
    await using test = await buildTestApp({
      LATEST_RELEASE_URL: 'https://bench.example.org/release.html?type=version&id=x',
    });
    expect((await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId))).statusCode).toBe(404);
  });

  it('has no manifest, with which other tools would write it to a real chip', async () => {
    await using test = await buildTestApp();
    for (const type of ['project', 'version'] as const) {
      expect((await test.app.inject(sharedFirmwarePaths.item(type, demoReleaseId))).statusCode).toBe(200);
      expect((await test.app.inject(sharedFirmwarePaths.manifest(type, demoReleaseId))).statusCode).toBe(404);
      expect((await test.app.inject(sharedFirmwarePaths.badge(type, demoReleaseId))).statusCode).toBe(200);
    }
  });

  it('counts its flashes like any other', async () => {
    await using test = await buildTestApp();
    const report = await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(demoReleaseId) });
    expect(report.statusCode).toBe(204);
    const answer = await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId));
    expect(answer.json().version.writeCount).toBe(1);
  });
});
