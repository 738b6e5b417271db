/** From the home page to a board that runs the written firmware. */
import { buildOutput } from '../../pictures/build-output.ts';
import type { Scene } from '../scene.ts';

export const flasher: Scene = {
  still: 0.6,
  async prepare(page) {
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
  async play(actor) {
    const { page } = actor;
    await actor.say('The flasher writes firmware from the browser. Nothing has to be installed.');
    await actor.click(page.getByRole('button', { name: 'Firmware flasher', exact: true }));
    await actor.click(page.getByRole('dialog').getByRole('link', { name: /Espressif/ }));
    await page.getByRole('button', { name: 'Try the Demo ESP32' }).waitFor();
    await actor.look(0.5);
    await actor.say('Drop the files of a build on the page: each is recognised and placed.');
    await actor.pointAt(page.getByText('Drop .bin files'));
    await page.getByLabel('Firmware files').setInputFiles(buildOutput);
    await page.getByText('app.bin', { exact: true }).first().waitFor();
    await actor.look(1);
    await actor.say('The demo board takes the place of a real one. It is reset into its bootloader and identified.');
    await actor.click(page.getByRole('button', { name: 'Try the Demo ESP32' }));
    const write = page.getByRole('button', { name: /^(Write \d files?|Install .*)$/ });
    await write.waitFor();
    await actor.say('Before anything is erased, the page shows what will be written and what stays.');
    await actor.pointAt(write);
    await actor.rest();
    await actor.say('What is already on the board is skipped. The rest is written, and every region is verified.');
    await actor.click(write);
    await page.getByText('Written and verified').first().waitFor();
    await page.getByRole('region', { name: 'Result' }).waitFor();
    await actor.say('Done: the board restarts, and the monitor opens on the same port.');
    const monitor = page.getByRole('log', { name: 'Monitor' });
    await monitor.scrollIntoViewIfNeeded();
    await actor.pointAt(monitor);
  },
};
