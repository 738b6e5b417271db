import { sharedFirmwarePaths } from '@wirebench/contract';
import { serveForeignPage } from '../support/foreign-page.ts';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';

test('ESP Web Tools on a foreign page reads the manifest of a release', async ({ page, baseURL, browser }) => {
  await page.goto('/');
  await signIn(page, 'admin');
  const owner = await ownerOn(page);
  const project = await owner.newProject(uniqueName('Embedded '));
  const version = await owner.newVersion(project, '3.1.4');
  await owner.setPublic(project, true);
  await owner.setPublic(version, true);

  const manifest = `${baseURL}${sharedFirmwarePaths.manifest('project', project.shareId)}`;
  await using foreign = await serveForeignPage(
    `<esp-web-install-button manifest="${manifest}"></esp-web-install-button>`,
  );
  const context = await browser.newContext();
  const theirs = await context.newPage();
  // Provides an open, silent port, because the tools ask for a port before they read anything.
  await theirs.addInitScript(() => {
    const port = {
      open: async () => undefined,
      close: async () => undefined,
      getInfo: () => ({}),
      setSignals: async () => undefined,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      readable: new ReadableStream(),
      writable: new WritableStream(),
    };
    Object.defineProperty(navigator, 'serial', {
      value: { requestPort: async () => port, getPorts: async () => [port], addEventListener: () => undefined },
    });
  });
  const read = theirs.waitForResponse(manifest);
  await theirs.goto(foreign.address);
  await theirs.getByRole('button', { name: 'Connect' }).click();
  const answer = await read;
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    name: project.name,
    version: '3.1.4',
    builds: [{ chipFamily: 'ESP32', parts: [{ offset: 0x10000 }] }],
  });
  await expect(theirs.getByText(`Install ${project.name}`)).toBeVisible();
  await context.close();
  await owner.remove(project);
});
