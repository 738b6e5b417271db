/** Tests the core dump of a crash of the demo board. */
import { screen } from '@testing-library/react';
import { it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { dumpView, headingOf } from './testing/crash-steps.ts';
import { enter, pressOn } from './testing/log-steps.ts';
import { said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

async function crashDemo(kind: string): Promise<void> {
  await type(`crash ${kind}`);
  await screen.findByRole('button', { name: 'View the crash' });
  await enter('View the crash');
  await says(dumpView, /from the log/);
  await said(/demo>\s*$/);
}

it('a stack overflow of the demo board says in which task, and how far over', async () => {
  await startDemo();
  await crashDemo('stack');
  const demoElf = await screen.findByRole('button', { name: "Use the demo's ELF file" });
  await pressOn(demoElf, '{Enter}');
  await says(headingOf(dumpView), /^Stack overflow in task console: \d+ bytes over its end$/);
});
