/**
 * ESP Web Tools on a third party's page installs a public release through Chromium's own Web Serial. A foreign
 * program fetches the manifest and the files from another origin and writes them.
 */
import { sharedFirmwarePaths } from '@wirebench/contract';
import { espFirmware, missingIn } from '../../../scripts/firmware/esp-firmware.ts';
import { serveForeignPage } from '../../support/foreign-page.ts';
import { uniqueName } from '../../support/unique-name.ts';
import { openBrowser } from '../../web-serial/browser.ts';
import { expect, test } from '../../web-serial/esp-fixture.ts';
import { ownerOn } from '../release-steps.ts';
import { signIn } from '../sign-in-steps.ts';

test.use({ chip: { chip: 'esp32', flash: { content: 'empty' } } });

test("a release is installed by ESP Web Tools on somebody else's page", async ({
  page,
  baseURL,
  host,
  device,
  board,
}) => {
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
  const theirs = context.pages()[0] ?? (await context.newPage());
  await theirs.goto(foreign.address);
  await theirs.getByRole('button', { name: 'Connect' }).click();
  await theirs.getByText(`Install ${project.name}`).click();
  await theirs.getByRole('button', { name: 'Next' }).click();
  await theirs.getByRole('button', { name: 'Install' }).click();
  // The text is an attribute and has no element of its own.
  await expect(theirs.locator('ewt-page-message')).toHaveAttribute('label', 'Installation complete!', {
    timeout: 60_000,
  });
  expect(missingIn(device.flash, files)).toEqual([]);
  await expect.poll(() => device.state).toBe('running');
  // The third party's page closes the port after the reset, before or after the program has printed its name.
  await expect.poll(() => board.spoken.toString()).toContain('Project name:     birdhouse');
  await owner.remove(project);
});
