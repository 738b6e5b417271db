/** Tests the core dump of a crash of the demo board. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { dumpView, headingOf } from './testing/crash-steps.ts';
import { enter, pressOn } from './testing/log-steps.ts';
import { said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const crashes = () => within(screen.getByRole('list', { name: 'Crashes and restarts, newest first' }));

async function crashDemo(kind: string, dumps: number): Promise<void> {
  await type(`crash ${kind}`);
  await screen.findByRole('button', { name: 'View the crash' });
  await enter('View the crash');
  const listed = () => crashes().getAllByRole('button', { name: /from the log|read_sensor|open_menu/ });
  await waitFor(() => expect(listed()).toHaveLength(dumps));
  await said(/demo>\s*$/);
}

it('a stack overflow of the demo board says in which task, and how far over', async () => {
  await startDemo();
  await crashDemo('stack', 1);
  await pressOn((await crashes().findAllByRole('button'))[0] ?? document.body, '{Enter}');
  const demoElf = await screen.findByRole('button', { name: "Use the demo's ELF file" });
  await pressOn(demoElf, '{Enter}');
  await says(headingOf(dumpView), /^Stack overflow in task console: \d+ bytes over its end$/);
});
