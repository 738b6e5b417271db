import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { releasePath } from '@wirebench/boards';
import {
  apiPaths,
  firmwarePaths,
  PublicConfig,
  probeReleaseIds,
  releaseLimits,
  SharedVersionAnswer,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { hasProbeImages, probeReleases } from './probe-release.ts';

const images = fileURLToPath(new URL('../../../../../firmware/probe/images/', import.meta.url));
const chips = ['esp32', 'esp32c3'] as const;

describe('the release of the product’s firmware', () => {
  it('exists from the first start and after a restart, and the ESP32 page leads to it', async () => {
    await using server = await startTestServer();
    const read = async (path: string) => JSON.parse(await (await fetch(server.address + path)).text());
    const { latestReleaseUrl } = PublicConfig.parse(await read(apiPaths.config));
    expect(latestReleaseUrl).toBe(`${server.address}${releasePath('version', probeReleaseIds.esp32)}`);
    for (const chip of chips) {
      const item = sharedFirmwarePaths.item('version', probeReleaseIds[chip]);
      const first = await read(item);
      const { project, version } = SharedVersionAnswer.parse(first);
      expect(project).toMatchObject({ publisher: 'wirebench', demo: false, deviceFamily: 'esp', deviceModel: chip });
      expect(version.files).toMatchObject([{ offset: chip === 'esp32' ? '0x1000' : '0x0' }]);
      expect(version.console).toMatchObject({ baudRate: 115_200 });
      const [file] = version.files;
      const path = sharedFirmwarePaths.file('version', probeReleaseIds[chip], file?._id ?? '');
      const bytes = Buffer.from(await (await fetch(server.address + path)).arrayBuffer());
      expect(bytes.equals(readFileSync(`${images}${chip}.bin`))).toBe(true);
      await server.restart();
      expect(await read(item)).toEqual(first);
    }
  });

  it('has the version that its images name, and describes itself', () => {
    for (const { deviceModel, version, files, versionDescription, projectDescription, name } of probeReleases()) {
      const [image] = files;
      const text = Buffer.from(image?.bytes ?? []).toString('latin1', 48, 80);
      expect(text.replace(/\0+$/, '')).toBe(version);
      expect(versionDescription).toContain('Experimental');
      expect(versionDescription).toContain('no longer starts');
      expect(versionDescription).toContain('How to go back');
      expect(versionDescription).toContain(`0x${deviceModel === 'esp32' ? '1000' : '0'}`);
      expect(versionDescription.length).toBeLessThanOrEqual(releaseLimits.descriptionMaxLength);
      expect(projectDescription.length).toBeLessThanOrEqual(releaseLimits.descriptionMaxLength);
      expect(name.length).toBeLessThanOrEqual(releaseLimits.nameMaxLength);
    }
  });

  it('has committed images that match their hashes', () => {
    for (const chip of chips) {
      const hash = createHash('sha256')
        .update(readFileSync(`${images}${chip}.bin`))
        .digest('hex');
      expect(readFileSync(`${images}${chip}.bin.sha256`, 'utf8')).toBe(`${hash}  ${chip}.bin\n`);
    }
  });

  it('is absent if it is switched off', async () => {
    await using test = await buildTestApp({ PROBE_RELEASE: 'off' });
    for (const chip of chips) {
      const answer = await test.app.inject(sharedFirmwarePaths.item('version', probeReleaseIds[chip]));
      expect(answer.statusCode).toBe(404);
    }
    const config = await test.app.inject(apiPaths.config);
    expect(config.json().latestReleaseUrl).not.toContain(probeReleaseIds.esp32);
  });

  it('is published beside another latest release, which the page leads to', async () => {
    const address = 'https://bench.example.org/release.html?type=version&id=x';
    await using test = await buildTestApp({ LATEST_RELEASE_URL: address });
    const answer = await test.app.inject(sharedFirmwarePaths.item('version', probeReleaseIds.esp32c3));
    expect(answer.statusCode).toBe(200);
    expect((await test.app.inject(apiPaths.config)).json().latestReleaseUrl).toBe(address);
  });

  it('has a manifest for other tools', async () => {
    await using test = await buildTestApp();
    const answer = await test.app.inject(sharedFirmwarePaths.manifest('version', probeReleaseIds.esp32c3));
    expect(answer.json().builds).toMatchObject([{ chipFamily: 'ESP32-C3', parts: [{ offset: 0 }] }]);
  });

  it('belongs to no user, who could list, change or remove it', async () => {
    await using test = await buildTestApp();
    const { project, version } = (
      await test.app.inject(sharedFirmwarePaths.item('version', probeReleaseIds.esp32))
    ).json();
    for (const claims of [{}, { sub: 'wirebench', preferred_username: 'wirebench' }]) {
      const headers = await test.bearer(claims);
      const own = await test.app.inject({ url: firmwarePaths.projects, headers });
      expect(own.json().projects).toEqual([]);
      const url = firmwarePaths.projectDescription(project._id);
      const change = { method: 'POST', url, headers, payload: { description: 'Mine' } } as const;
      expect((await test.app.inject(change)).statusCode).toBe(404);
      const removal = { method: 'DELETE', url: firmwarePaths.version(version._id), headers } as const;
      expect((await test.app.inject(removal)).statusCode).toBe(404);
    }
  });

  it('requires its images', async () => {
    await using folder = await temporaryFolder();
    expect(hasProbeImages(folder.path)).toBe(false);
    expect(hasProbeImages()).toBe(true);
  });
});
