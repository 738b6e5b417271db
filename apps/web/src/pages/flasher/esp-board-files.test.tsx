/** Files in the flash of the simulated ESP32: changed, written with the page's plan, and read back. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { openFileSystem } from '@wirebench/flasher/file-systems';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { choose } from '../terminal/testing/terminal-steps.ts';
import {
  connectDemo,
  openFlasher,
  openPartition,
  plan,
  press,
  resultSays,
  untilIdle,
  write,
} from './testing/flasher-steps.ts';

withWholePages();

/** Storage of the demo board: 128 KiB of its 4 MiB. */
const storage = { offset: 0x11_0000, size: 0x2_0000 };

/** Saves the whole flash without a manifest. */
const saveAll = async () =>
  choose(await screen.findByRole('button', { name: 'More about what is on the board' }), 'Save all 4 MB as .bin');

const row = (name: RegExp) => screen.findByRole('treeitem', { name });

it('files of a board are edited and added in one plan; what is written is read back, and nothing else changes', async () => {
  await openFlasher('esp');
  await connectDemo();
  const { bytes: before } = await savedBy(saveAll);
  await openPartition('storage');
  fireEvent.click(await row(/^settings\.json/));
  const editor = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text of /settings.json' });
  const text = `${editor.value}\n`;
  fireEvent.change(editor, { target: { value: text } });
  await row(/^settings\.json changed/);
  fireEvent.change(await screen.findByLabelText('Files for storage'), {
    target: { files: [new File(['hello'], 'hello.txt')] },
  });
  await row(/^hello\.txt new/);
  await says(plan, 'Write 2 changed files to storage');
  await screen.findByText(/\+ \/hello\.txt 5 B/);
  await write();
  await resultSays('Written and verified');
  await press('Connect again');
  await untilIdle();
  await openPartition('storage');
  await row(/^hello\.txt 5 B/);
  await waitFor(() => expect(screen.queryByRole('treeitem', { name: /new|changed/ })).toBeNull());
  const { bytes: after } = await savedBy(saveAll);
  const files = openFileSystem(after.subarray(storage.offset, storage.offset + storage.size));
  expect(new TextDecoder().decode(files.read('/settings.json'))).toBe(text);
  expect(new TextDecoder().decode(files.read('/hello.txt'))).toBe('hello');
  const outside = (flash: Uint8Array) => [
    flash.subarray(0, storage.offset),
    flash.subarray(storage.offset + storage.size),
  ];
  for (const [index, part] of outside(after).entries()) {
    expect(Buffer.compare(part, outside(before)[index] ?? new Uint8Array())).toBe(0);
  }
});
