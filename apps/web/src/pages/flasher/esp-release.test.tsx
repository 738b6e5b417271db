/** Tests the Espressif flasher's page with the files of a release, for several boards and with other files added. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { noise } from '../../worker/flasher/testing/noise.ts';
import {
  addFile,
  connectDemo,
  fill,
  monitor,
  openFlasher,
  openSettings,
  plan,
  press,
  resultSays,
  untilPlanned,
  write,
} from './testing/flasher-steps.ts';
import { servedRelease, serveRelease } from './testing/served-release.ts';

withWholePages();

it('two boards are written at once', async () => {
  await serveRelease();
  await openFlasher('esp', servedRelease);
  await connectDemo();
  await untilPlanned();
  await press('Add a board');
  await connectDemo();
  await press('Write all 2 boards');
  await waitFor(() => expect(screen.getAllByRole('tab', { name: /Done/ })).toHaveLength(2));
  await screen.findByText('Boards flashed in this session: 2');
});

it('rules of the release colour and count lines of the monitor, and answer once that is allowed', async () => {
  const rules = [
    { name: 'Greeting', when: { line: 'release link' }, do: { colour: 'green' } },
    { name: 'Link', when: { line: 'release link' }, do: { answer: 'thanks' } },
  ];
  await serveRelease({ fields: [], rules });
  await openFlasher('esp', servedRelease);
  await connectDemo();
  await write();
  const rulesOf = () => screen.getByRole('region', { name: 'Rules of Weather' });
  await says(rulesOf, /Greeting [1-9]/);
  const allow = within(rulesOf()).getByRole<HTMLInputElement>('switch', {
    name: 'Let them answer: Link sends “thanks”',
  });
  expect(allow.checked).toBe(false);
  expect(monitor().textContent).not.toContain('thanks');
  await userEvent.click(allow, { delay: null });
  await press('Reset');
  await says(monitor, 'thanks');
});

it('in batch mode a board that is plugged in is flashed by itself', async () => {
  await serveRelease();
  await openFlasher('esp', servedRelease);
  await connectDemo();
  await press('Files and settings');
  await openSettings();
  await userEvent.click(await screen.findByRole('switch', { name: /Flash each board that is plugged in/i }), {
    delay: null,
  });
  await write();
  await resultSays('Written and verified');
  await press('Unplug the demo');
  await press('Plug in again');
  await resultSays('The board was restarted.');
  await screen.findByRole('button', { name: 'Save 2 receipts as CSV' });
  // The same board twice: the second flash wrote nothing, and a single board is not counted.
  expect(screen.queryByText(/in this session/)).toBeNull();
  const { bytes } = await savedBy(() => press('Save 2 receipts as CSV'));
  expect(new TextDecoder().decode(bytes).trim().split('\r\n')).toHaveLength(3);
});

it('a result goes when other files are chosen, and their rows can be edited', async () => {
  await serveRelease();
  await openFlasher('esp', servedRelease);
  await connectDemo();
  await write();
  await resultSays('Written and verified');
  await press('Files and settings');
  expect((await screen.findAllByRole('button', { name: /^Remove / })).length).toBeGreaterThan(0);
  await addFile('more.bin', noise(0x1000), '0x200000');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Result' })).toBeNull());
  await says(plan, 'Write connects again by itself.');
  await screen.findByText('The files below are no longer those of this release.');
  await fill('Offset of more.bin', '0x10000');
  await screen.findByText(/^Overlaps /);
  await press('Remove more.bin');
  await write();
  await resultSays('Nothing to write');
});
