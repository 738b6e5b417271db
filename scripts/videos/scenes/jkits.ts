/** A shared set of messages, loaded into a panel and sent to a board. */
import { pagePaths } from '@wirebench/contract';
import { signIn } from '../../pictures/sign-in.ts';
import type { Scene } from '../scene.ts';

export const jkits: Scene = {
  still: 0.5,
  async prepare(page) {
    await page.goto('/');
    await signIn(page, 'maker');
    await page.goto(pagePaths.uart);
    await page.getByRole('button', { name: 'Try the demo board' }).click();
    await page.getByRole('log').getByText('demo>').first().waitFor();
  },
  async play(actor) {
    const { page } = actor;
    const library = page.getByRole('dialog', { name: 'JKit library' });
    const panel = page.getByRole('region', { name: 'Panels' }).getByRole('region', { name: 'Panel 1' });
    await actor.say('A JKit is a named set of messages for one device. Every panel opens the library.');
    await actor.click(page.getByRole('button', { name: 'JKit library for Panel 1' }));
    await actor.click(library.getByRole('tab', { name: /^Explore/ }));
    await actor.say('Explore searches the JKits that others share.');
    await actor.click(page.getByRole('searchbox', { name: 'Search shared JKits' }));
    await actor.type('demo board');
    await actor.click(library.getByRole('button', { name: /^Demo board/ }).first());
    await actor.say('You can read its messages before you load it.');
    await actor.look(1);
    await actor.click(library.getByRole('button', { name: 'Load', exact: true }));
    await actor.click(library.getByRole('group').getByRole('button', { name: 'Load', exact: true }));
    await library.waitFor({ state: 'hidden' });
    await actor.say('The messages are in the panel now. Choose the port to send them to.');
    await actor.click(panel.getByRole('button', { name: 'Target of Panel 1' }));
    await actor.click(
      page.getByRole('menuitem', { name: 'Port 1' }).or(page.getByRole('menuitemcheckbox', { name: 'Port 1' })),
    );
    await actor.say('One click sends one of them.');
    await actor.click(panel.getByRole('button', { name: 'Send i2cscan', exact: true }));
    await actor.look(1.5);
    await actor.say('Run sends them in turn, each once the board has answered.');
    await actor.click(panel.getByRole('button', { name: /^Run / }));
    await actor.look(3);
    await actor.say('You can save your own messages in a slot, and share them the same way.');
  },
};
