/** The terminal: a board, a command, a second port, a search, a plot, and the log as bytes. */
import { pagePaths } from '@wirebench/contract';
import type { Scene } from '../scene.ts';

export const uart: Scene = {
  still: 0.62,
  async prepare(page) {
    await page.goto(pagePaths.uart);
    await page.getByRole('button', { name: 'Try the demo board' }).waitFor();
  },
  async play(actor) {
    const { page } = actor;
    const log = page.getByRole('log');
    await actor.say('The terminal opens up to four serial ports in one tab.');
    await actor.say('This is the demo board. Your own board connects the same way.');
    await actor.click(page.getByRole('button', { name: 'Try the demo board' }));
    await log.getByText('demo>').first().waitFor();
    await actor.say('The board starts, and every line appears as it arrives, with its time.');
    await actor.look(1.5);
    await actor.say('Type a command below the log. Enter sends it.', 'top');
    await actor.click(page.getByRole('textbox', { name: 'Message' }));
    await actor.type('sensors on');
    await actor.press('Enter');
    await actor.say('A second board: both share one timeline, each with its own number and colour.');
    await actor.click(page.getByRole('button', { name: 'Other ways to connect port 2' }));
    await actor.click(page.getByRole('menuitem', { name: 'Demo board' }));
    await page.getByRole('button', { name: 'Disconnect port 2' }).waitFor();
    await actor.look(1.5);
    await actor.say('The find field marks and counts matches, even in a million lines.');
    await actor.press('/');
    await actor.type('port:1 temperature');
    await actor.look(1.5);
    await actor.press('Escape');
    await actor.say('Shift+H turns the log into bytes and back.');
    await log.focus();
    await actor.press('Shift+H');
    await actor.look(2);
    await actor.press('Shift+H');
    await actor.say('Numbers in the log can be plotted as they arrive.', 'top');
    await actor.click(page.getByRole('button', { name: 'Tools', exact: true }));
    await actor.click(page.getByRole('menuitemcheckbox', { name: 'Plot' }));
    await actor.click(page.getByRole('textbox', { name: 'Message' }));
    await actor.type('adc 3 60 100');
    await actor.press('Enter');
    await actor.look(4);
    await actor.say('Everything stays on this computer until you save or share it.', 'top');
  },
};
