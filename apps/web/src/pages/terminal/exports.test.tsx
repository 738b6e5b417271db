import { fireEvent, screen, waitFor } from '@testing-library/react';
import { loadLineCount, loadLineLength, loadLines } from '@wirebench/devices';
import { expect, it } from 'vitest';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { exported, pressOn, textOf } from './testing/log-steps.ts';
import { clearLog, log, press, prompt, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

/**
 * Returns the bytes that a demo device on port 1 sends for `load 10000 2`: the echo, the lines, the summary and the
 * next prompt.
 */
function loadOutput(): number[] {
  const count = loadLineCount(10_000, 2);
  const utf8 = new TextEncoder();
  return [
    ...utf8.encode('load 10000 2\r\nload: 10000 bytes/s for 2 s\r\n'),
    ...loadLines(0, count, 1),
    ...utf8.encode(`load: ${count} lines, ${count * loadLineLength} bytes\r\ndemo> `),
  ];
}

it('an export holds exactly the bytes that the device sent', async () => {
  await startDemo();
  await clearLog();
  await type('load 10000 2');
  await said('load: 500 lines, 20000 bytes');
  await said(prompt);
  const { name, bytes } = await exported('Received bytes of Port 1');
  expect(name).toMatch(/^wirebench-\d{4}(-\d\d){5}-port-1\.bin$/);
  expect([...bytes]).toEqual(loadOutput());
  await screen.findByText('Messages exported to file');
});

it('the log is exported as text by its shortcut, and as CSV', async () => {
  await startDemo();
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'S3 gateway' } });
  await type('stop');
  await said('nothing is running');
  const text = await savedBy(() => pressOn(log(), '{Shift>}X{/Shift}'));
  expect(text.name).toMatch(/^wirebench-\d{4}(-\d\d){5}\.txt$/);
  const csv = await exported('CSV');
  expect(csv.name).toMatch(/\.csv$/);
  expect(textOf(csv)).toContain('S3 gateway');
  expect(textOf(csv)).toContain('nothing is running');
});

it('only the shown lines are exported, when that is chosen', async () => {
  await startDemo();
  await type('help');
  await said('which addresses answer');
  fireEvent.change(await screen.findByRole('textbox', { name: 'Find in the console' }), { target: { value: 'boot:' } });
  await screen.findByRole('button', { name: 'Show only lines that match' });
  await press('Show only lines that match');
  await waitFor(() => expect(log().textContent).not.toContain('which addresses answer'));
  expect(textOf(await exported(/^Text log/))).toContain('which addresses answer');
  const lines = textOf(await exported('Shown lines only, as text'))
    .trim()
    .split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.every((line) => line.includes('boot:'))).toBe(true);
  const csv = await exported('Shown lines only, as CSV');
  expect(csv.name).toMatch(/\.csv$/);
  expect(textOf(csv).trim().split('\r\n')).toHaveLength(lines.length + 1);
});
