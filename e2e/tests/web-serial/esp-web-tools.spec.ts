/**
 * ESP Web Tools on a third party's page installs a public release through Chromium's own Web Serial. A foreign
 * program fetches the manifest and the files from another origin and writes them.
 */
import type { Page } from '@playwright/test';
import { sharedFirmwarePaths } from '@wirebench/contract';
import { firstUnlessLong } from '@wirebench/test-input';
import { espFirmware, missingIn } from '../../../scripts/firmware/esp-firmware.ts';
import { serveForeignPage } from '../../support/foreign-page.ts';
import { uniqueName } from '../../support/unique-name.ts';
import { openBrowser } from '../../web-serial/browser.ts';
import { expect, test } from '../../web-serial/esp-fixture.ts';
import { ownerOn } from '../release-steps.ts';
import { signIn } from '../sign-in-steps.ts';

// One board after the other: each runs in real time, and the tools give up on a slow one.
test.describe.configure({ mode: 'default', timeout: 420_000 });
test.use({ chip: { chip: 'esp32', flash: { content: 'empty' } } });

test('ESP Web Tools on a foreign page installs a release', async ({ page, baseURL, host, device, board }) => {
  const files = espFirmware('esp32', { project: 'birdhouse', version: '3.1.4', size: 100 * 1_024 });
  await page.goto('/');
  await signIn(page, 'admin');
  const owner = await ownerOn(page);
  const project = await owner.newProject(uniqueName('Birdhouse '));
  const version = await owner.newVersion(project, '3.1.4', files);
  await owner.setPublic(project, true);
  await owner.setPublic(version, true);

  const manifest = `${baseURL}${sharedFirmwarePaths.manifest('project', project.shareId)}`;
  await using foreign = await serveForeignPage(
    `<esp-web-install-button manifest="${manifest}"></esp-web-install-button>`,
  );
  await using context = await openBrowser(host, new URL(foreign.address).origin);
  await install(context.pages()[0] ?? (await context.newPage()), foreign.address, project.name);
  expect(missingIn(device.flash, files)).toEqual([]);
  await expect.poll(() => device.state).toBe('running');
  // The third party's page closes the port after the reset, before or after the program has printed its name.
  await expect.poll(() => board.spoken.toString()).toContain('Project name:     birdhouse');
  await owner.remove(project);
});

/** Attempts to connect. The tools wait for a chip's answer for a moment only, which a busy machine may miss. */
const MAX_ATTEMPTS = 3;

/** Installs the release on a page of the tools, and waits until they say that it is complete. */
async function install(theirs: Page, address: string, name: string): Promise<void> {
  // The text is an attribute and has no element of its own.
  const complete = theirs.locator('ewt-page-message[label="Installation complete!"]');
  const unreached = theirs.getByText('Failed to initialize');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await theirs.goto(address);
    await theirs.getByRole('button', { name: 'Connect' }).click();
    await theirs.getByText(`Install ${name}`).click();
    await theirs.getByRole('button', { name: 'Next' }).click();
    await theirs.getByRole('button', { name: 'Install' }).click();
    // The tools try for a minute before they give up.
    await expect(complete.or(unreached)).toBeAttached({ timeout: 120_000 });
    if ((await unreached.count()) === 0) {
      break;
    }
  }
  await expect(complete).toBeAttached();
}

const chips = ['esp32c3', 'esp32', 'esp32s3'] as const;

for (const chip of firstUnlessLong(chips)) {
  test.describe(`a release for three chips, on a simulated ${chip}`, () => {
    test.use({ chip: { chip, flash: { content: 'empty' } } });

    test('is installed by ESP Web Tools with the build of the board', async ({
      page,
      baseURL,
      host,
      device,
      board,
    }) => {
      const firmware = (model: (typeof chips)[number]) =>
        espFirmware(model, { project: `birdhouse-${model}`, version: '4.0.0', size: 40 * 1_024 });
      await page.goto('/');
      await signIn(page, 'admin');
      const owner = await ownerOn(page);
      const project = await owner.newProject(uniqueName('Birdhouse '));
      const builds = chips.map((deviceModel) => ({ deviceModel, files: firmware(deviceModel) }));
      const version = await owner.newBuilds(project, '4.0.0', builds);
      await owner.setPublic(project, true);
      await owner.setPublic(version, true);

      const manifest = `${baseURL}${sharedFirmwarePaths.manifest('version', version.shareId)}`;
      await using foreign = await serveForeignPage(
        `<esp-web-install-button manifest="${manifest}"></esp-web-install-button>`,
      );
      await using context = await openBrowser(host, new URL(foreign.address).origin);
      await install(context.pages()[0] ?? (await context.newPage()), foreign.address, project.name);
      expect(missingIn(device.flash, firmware(chip))).toEqual([]);
      await expect.poll(() => device.state).toBe('running');
      await expect.poll(() => board.spoken.toString()).toContain(`birdhouse-${chip}`);
      await owner.remove(project);
    });
  });
}
