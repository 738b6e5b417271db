/** Tests stored settings (NVS) on the Espressif flasher's page with a simulated ESP32: edit, write, read back. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { liveEntries, readNvs, utf8Text } from '@wirebench/flasher/esp/nvs';
import { expect, it } from 'vitest';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  connectDemo,
  openFlasher,
  openPartition,
  press,
  resultSays,
  unplugMidWrite,
  untilIdle,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

const user = userEvent.setup({ delay: null });
const value = (text: string | RegExp) => screen.findByRole('button', { name: text });

/** Connects the Demo ESP32, and opens its stored settings. */
async function openSettings(): Promise<void> {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('nvs');
  await value('interval_s: 60. Change');
}

/** Reads the partition again after a write, and returns its keys as text. */
async function readBack(): Promise<Record<string, string>> {
  await press('Connect again');
  await untilIdle();
  await openPartition('nvs');
  const { bytes } = await savedBy(() => press('Back up'));
  return Object.fromEntries(
    liveEntries(readNvs(bytes)).map(({ namespace, key, value: stored }) => [
      `${namespace}/${key}`,
      'bytes' in stored ? (utf8Text(stored.bytes) ?? `${stored.bytes.length} B`) : `${stored.value}`,
    ]),
  );
}

it('keys are changed, added and deleted by one write, and no password is shown or logged', async () => {
  await openSettings();
  await user.click(await value('interval_s: 60. Change'));
  await user.keyboard('300{Enter}');
  await user.click(await value('password: hidden. Change'));
  await user.keyboard('battery-staple{Enter}');
  await user.click(await value('Delete led'));
  await press('Add a key');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a key' }));
  await user.type(await dialog.findByLabelText('Key'), 'place');
  await user.type(await dialog.findByLabelText('Value'), 'Greenhouse');
  await user.click(await dialog.findByRole('button', { name: 'Add to the plan' }));
  await screen.findByText(/app\/interval_s 60 → 300/);
  await screen.findByText(/wifi\/password changed/);
  await screen.findByText(/app\/led deleted/);
  await screen.findByText(/app\/place added: Greenhouse/);
  const backup = await savedBy(() => press('Back up nvs first'));
  expect(liveEntries(readNvs(backup.bytes)).some(({ key }) => key === 'led')).toBe(true);
  await screen.findByText('nvs is backed up.');
  await write();
  await resultSays('Written and verified');
  const page = document.documentElement.outerHTML;
  for (const secret of ['battery-staple', 'lathe-and-mill']) {
    expect(page).not.toContain(secret);
  }
  const stored = await readBack();
  expect(stored).toMatchObject({
    'app/interval_s': '300',
    'app/place': 'Greenhouse',
    'app/name': 'Bench sensor 7',
    'wifi/password': 'battery-staple',
    'wifi/ssid': 'Old workshop',
  });
  expect(stored).not.toHaveProperty('app/led');
  // The page kept what it had read before.
  await screen.findByText(/^2 keys changed, 1 added, 1 removed since \d\d:\d\d$/);
  expect(document.documentElement.outerHTML).not.toContain('battery-staple');
});

it('the editor stays open after a write with what was written, and the next key needs no other look', async () => {
  await openSettings();
  await user.click(await value('interval_s: 60. Change'));
  await user.keyboard('300{Enter}');
  await screen.findByText(/app\/interval_s 60 → 300/);
  const map = () => screen.getByRole('img', { name: /^Flash: / }).getAttribute('aria-label');
  await waitFor(() => expect(map()).toMatch(/nvs 0x9000 to 0x9FFF in nvs, to write/));
  expect(map()).not.toContain('erased');
  await write();
  await resultSays('1 changed key written');
  expect(map()).toMatch(/nvs 0x9000 to 0x9FFF in nvs, written and verified/);
  const beside = within(await screen.findByRole('complementary', { name: 'Written changes' }));
  await beside.findByText(/^\d\d:\d\d:\d\d$/);
  await beside.findByText(/app\/interval_s 60 → 300/);
  const backup = await savedBy(() => press(/^Save esp32-.*-nvs-0x9000\.bin$/));
  expect(liveEntries(readNvs(backup.bytes)).find(({ key }) => key === 'interval_s')?.value).toMatchObject({
    value: 60n,
  });
  await user.click(await value('interval_s: 300. Change'));
  await user.keyboard('600{Control>}{Enter}{/Control}');
  await waitFor(() => beside.getByText(/app\/interval_s 300 → 600/));
  await resultSays('1 changed key written');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Value of interval_s');
  await user.keyboard('{Enter}');
  await value('interval_s: 600. Change');
});

it('a write that a pulled plug has ended is finished afterwards, with every key old or new', async () => {
  await openSettings();
  const blob = (index: number) => `k${index},data,hex2bin,${String(index).repeat(2).repeat(900)}`;
  const rows = ['key,type,encoding,value', 'big,namespace,,', ...Array.from({ length: 8 }, (_, index) => blob(index))];
  await user.upload(
    await screen.findByLabelText('CSV, image or backup of an NVS partition'),
    new File([`${rows.join('\n')}\n`], 'big.csv'),
  );
  await press('Take 8 keys over');
  await screen.findByText(/Pages 0, 1 and 2 of 4/);
  await unplugMidWrite(40);
  const stored = await readBack();
  expect(stored).toMatchObject({ 'app/interval_s': '60', 'wifi/password': 'lathe-and-mill' });
  expect(Object.keys(stored).filter((name) => name.startsWith('big/'))).toHaveLength(8);
});

it('edits are planned still when another partition was looked at', async () => {
  await openSettings();
  await user.click(await value('Delete led'));
  await openPartition('phy_init');
  await openPartition('nvs');
  await value('Undo the change of led');
  await screen.findByText('1 of 11 keys changed, not written yet');
  await press('Undo nvs');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo the change of led' })).toBeNull());
});
