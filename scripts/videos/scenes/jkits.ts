/** A set of messages that somebody shares, loaded into a panel and sent to a board. */
import { pagePaths } from '@wirebench/contract';
import { signIn } from '../../pictures/sign-in.ts';
import type { Scene } from '../scene.ts';

export const jkits: Scene = {
  still: 0.5,
  async prepare(page) {
    await page.goto('/');
    await signIn(page, 'maker');
    await page.goto(pagePaths.uart);
    await page.getByRole('button', { name: 'Try the demo device' }).click();
    await page.getByRole('log').getByText('demo>').first().waitFor();
  },
  async play(actor) {
    const { page } = actor;
    const library = page.getByRole('dialog', { name: 'JKit library' });
    const panel = page.getByRole('region', { name: 'Device panels' }).getByRole('region', { name: 'Device 1' });
    await actor.say('A JKit is a named set of messages for one device. The library of a panel finds them.');
    await actor.click(page.getByRole('button', { name: 'JKit library for Device 1' }));
    await actor.click(library.getByRole('tab', { name: /^Explore/ }));
    await actor.say('Explore searches what others share.');
    await actor.click(page.getByRole('searchbox', { name: 'Search shared jkits' }));
    await actor.type('demo board');
    await actor.click(library.getByRole('button', { name: /^Demo board/ }).first());
    await actor.say('Its messages can be read before it is loaded.');
    await actor.look(1);
    await actor.click(library.getByRole('button', { name: 'Load', exact: true }));
    await actor.click(library.getByRole('group').getByRole('button', { name: 'Load', exact: true }));
    await library.waitFor({ state: 'hidden' });
    await actor.say('The panel holds the messages now. It is told which port they are for.');
    await actor.click(panel.getByRole('button', { name: 'Target of Device 1' }));
    await actor.click(
      page.getByRole('menuitem', { name: 'Port 1' }).or(page.getByRole('menuitemcheckbox', { name: 'Port 1' })),
    );
    await actor.say('One click sends one of them.');
    await actor.click(panel.getByRole('button', { name: 'Send i2cscan', exact: true }));
    await actor.look(1.5);
    await actor.say('Run all sends them one after the other, each when the board has answered.');
    await actor.click(panel.getByRole('button', { name: 'Run all' }));
    await actor.look(3);
    await actor.say('What you pin yourself you can save in one of your slots, and share the same way.');
  },
};
