/** A project, its first version, and the link that flashes it. */
import { pagePaths } from '@wirebench/contract';
import { buildOutput } from '../../pictures/build-output.ts';
import { signIn } from '../../pictures/sign-in.ts';
import type { Scene } from '../scene.ts';

export const releases: Scene = {
  still: 0.5,
  async prepare(page) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await signIn(page, 'maker');
    await page.goto(pagePaths.releases);
    await page.getByRole('button', { name: 'Create your first project' }).waitFor();
  },
  async play(actor) {
    const { page } = actor;
    const name = 'weather-node';
    const project = page.getByRole('region', { name, exact: true });
    const form = page.getByRole('form', { name: 'New version' });
    await actor.say('The release manager keeps the versions of your firmware with their files and addresses.');
    await actor.click(page.getByRole('button', { name: 'Create your first project' }));
    await actor.say('A project has a name and the chip its firmware is built for.');
    await actor.type(name);
    const model = page.getByRole('combobox', { name: 'Device model' });
    await actor.pointAt(model);
    await model.selectOption('esp32');
    await actor.click(page.getByRole('button', { name: 'Create project' }));
    await project.waitFor();
    await actor.say('A version has a number, a description of what is new, and its files.');
    await actor.click(project.getByRole('button', { name: 'Add version', exact: true }));
    await actor.type('1.4.0');
    await actor.click(form.getByRole('textbox', { name: 'Description' }));
    await actor.type('Reads the sensor twice before it sleeps.');
    await actor.say('Each file of a build gets its usual address.', 'top');
    await actor.pointAt(form.getByText('Choose a .bin file'));
    await form.getByLabel('File 1: choose a .bin file').setInputFiles(buildOutput);
    await form.getByRole('textbox', { name: 'Offset of app.bin' }).waitFor();
    const create = form.getByRole('button', { name: 'Create version' });
    await actor.pointAt(create);
    await actor.look(1);
    await actor.click(create);
    await page.getByText('Version 1.4.0 created').waitFor();
    await actor.say('Both start private. One click each makes them public.');
    await actor.click(page.getByRole('button', { name: `Private: ${name}`, exact: true }));
    await actor.click(page.getByRole('button', { name: 'Private: version 1.4.0', exact: true }));
    await page.getByText('Version 1.4.0 is public').waitFor();
    await actor.say('Share copies the link.');
    await actor.click(page.getByRole('button', { name: 'More about version 1.4.0' }));
    await actor.click(page.getByRole('menuitem', { name: 'Share', exact: true }));
    await page.getByText('Link to version 1.4.0 copied').waitFor();
    await actor.rest();
    await actor.say('Whoever opens it can flash the firmware without downloading a file.');
    await actor.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await actor.pointAt(page.getByRole('link', { name: 'Install', exact: true }));
    await actor.look(1);
  },
};
