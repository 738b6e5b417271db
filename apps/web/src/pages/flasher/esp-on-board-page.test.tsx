/** Changes what a simulated ESP32 holds: its partition table, the slot that starts, and partitions of a backup set. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { readBackupSet } from '@wirebench/flasher/esp/backup';
import { readNestedZip } from '@wirebench/flasher/images';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  chooseOnBoard,
  connectDemo,
  openFlasher,
  openPartition,
  press,
  resultSays,
  untilIdle,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

/** Partition table of the demo board, with another partition in place of `storage`. */
const table = `nvs,data,nvs,0x9000,16K
otadata,data,ota,,8K
phy_init,data,phy,,4K
ota_0,app,ota_0,,1M
coredump,data,coredump,0x130000,64K
ota_1,app,ota_1,0x140000,1M
more,data,fat,,64K`;

const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) });

/** Gives a file to a hidden input. */
async function give(label: string, name: string, content: BlobPart): Promise<void> {
  fireEvent.change(await screen.findByLabelText(label), { target: { files: [new File([content], name)] } });
}

async function writeAndLook(): Promise<void> {
  await write();
  await screen.findByRole('region', { name: 'Result' });
  await press('Connect again');
  await untilIdle();
}

it('a new partition table is written, and a slot is started only if it holds an app', async () => {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('partition table');
  await give('Partition table as CSV', 'partitions.csv', table);
  await screen.findAllByText(/storage: no program finds its data any more\./);
  await writeAndLook();
  await screen.findByRole('button', { name: /^more/ });
  await openPartition('otadata');
  await within(await screen.findByRole('region', { name: 'ota_0' })).findByText('Starts now');
  await press('Start the other slot');
  await says(() => screen.getByRole('region', { name: 'ota_1' }), 'Will start');
  await screen.findByText(/starts ota_0 → ota_1/);
  await writeAndLook();
  await says(() => row('otadata'), 'Starts ota_1');
  await openPartition('ota_0');
  await chooseOnBoard('More about ota_0', 'Erase ota_0');
  await writeAndLook();
  await openPartition('otadata');
  await screen.findByRole('region', { name: 'ota_0' });
  await press('Start the other slot');
  await screen.findByText('ota_0 holds no app.');
});

it('the list and the map show the partitions of a table as soon as it is written', async () => {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('partition table');
  await give('Partition table as CSV', 'partitions.csv', table);
  await screen.findAllByText(/storage: no program finds its data any more\./);
  await write();
  await resultSays('Written and verified');
  await screen.findByRole('button', { name: /^more/ });
  await give('Firmware files', 'next.bin', new Uint8Array(0x1000).fill(7));
  await waitFor(() =>
    expect(screen.getByRole('img', { name: /^Flash: / }).getAttribute('aria-label')).toContain('more 0x'),
  );
});

it('the backup in one click has chip, date, partition table and hashes', async () => {
  await openFlasher('esp');
  await connectDemo();
  const { name, bytes } = await savedBy(() => press('Back up all 4 MB'));
  expect(name).toMatch(/^esp32-[\da-f]{12}-backup-\d{4}-\d\d-\d\d-\d{4}\.zip$/);
  const files = readNestedZip(Uint8Array.from(bytes));
  expect(await readBackupSet(files)).toMatchObject({ chip: 'esp32', parts: [{ name: 'flash', size: 4 * 2 ** 20 }] });
  const manifest = JSON.parse(new TextDecoder().decode(files.find(({ name }) => name.endsWith('.json'))?.bytes));
  expect(manifest.partitions.map((partition: { name: string }) => partition.name)).toContain('nvs');
  expect(new Date(manifest.created).getTime()).toBeGreaterThan(Date.now() - 600_000);
});

it('a backup set of partitions is saved, checked, and planned again', async () => {
  await openFlasher('esp');
  await connectDemo();
  await openPartition('phy_init');
  await give('Backup of phy_init', 'phy.bin', new Uint8Array(0x1000).fill(0x5a));
  await writeAndLook();
  await chooseOnBoard('More about what is on the board', 'Back up partitions…');
  const dialog = within(await screen.findByRole('dialog'));
  for (const checkbox of await dialog.findAllByRole<HTMLInputElement>('checkbox')) {
    if (checkbox.checked !== checkbox.labels?.[0]?.textContent?.startsWith('phy_init')) {
      fireEvent.click(checkbox);
    }
  }
  const { name, bytes } = await savedBy(() => press(/^Back up \d/));
  expect(name).toMatch(/-backup-.*\.zip$/);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await chooseOnBoard('More about what is on the board', 'Restore a backup…');
  const damaged = Uint8Array.from(bytes);
  const at = damaged.findIndex(
    (byte, index) => byte === 0x5a && damaged[index + 1] === 0x5a && damaged[index + 2] === 0x5a,
  );
  damaged[at] = 0;
  await give('Backup', name, damaged);
  await screen.findByText(/damaged/);
  await give('Backup', name, Uint8Array.from(bytes));
  await screen.findByText(/Of this board.*All hashes match/);
  await press('Add to the plan');
  await says(() => row('phy_init'), 'Restore phy_init, not written yet');
});
