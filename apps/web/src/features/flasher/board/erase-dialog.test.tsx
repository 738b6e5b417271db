import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toasts } from '../../../shared/testing/toasts.ts';
import { fakeDownloads } from '../../../workbench/testing/saved-files.ts';
import { askErase, closeErase } from '../store/erase-request.ts';
import { dispatch, startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { EraseDialog } from './erase-dialog.tsx';

const call = fakeFlasher();
const saved = fakeDownloads();

const nvs = { name: 'nvs', range: { offset: 0x9000, length: 0x6000 } };

beforeEach(() => {
  startFlasher(testFamily);
  call.mockReset();
  saved.mockReset();
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  render(<EraseDialog />);
});
afterEach(() => {
  closeErase();
  cleanup();
});

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

it('a backup comes first, and nothing is erased before it was read and the person has said so again', async () => {
  const content = new Blob(['settings']);
  call.mockResolvedValueOnce(content);
  askErase(nvs);
  await screen.findByText('Everything from 0x9000 to 0xEFFF is erased.');
  await press('Back up first');
  await screen.findByText(/240ac4000110-nvs-0x9000.bin/);
  expect(saved).toHaveBeenCalledWith(content, '240ac4000110-nvs-0x9000.bin');
  expect(toasts().current?.text).toBe('240ac4000110-nvs-0x9000.bin was sent to your downloads');
  expect(call.mock.calls).toEqual([['read', 1, nvs.range]]);
  expect(screen.queryByRole('button', { name: 'Back up first' })).toBeNull();
  call.mockResolvedValueOnce(testBoard());
  await press('Erase');
  await waitFor(() => expect(call).toHaveBeenLastCalledWith('erase', 1, nvs.range));
});

it('a backup that fails erases nothing, and the question is not asked again', async () => {
  call.mockRejectedValueOnce(new Error('The flash could not be read.'));
  askErase(nvs);
  await press('Back up first');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saved).not.toHaveBeenCalled();
  expect(call).toHaveBeenCalledOnce();
});

it('all of the flash is backed up from its first to its last byte', async () => {
  call.mockResolvedValueOnce(new Blob(['all']));
  askErase({ name: 'All of the flash', range: null });
  await screen.findByRole('heading', { name: 'Erase all 4 MB?' });
  await press('Back up all 4 MB first');
  await screen.findByText(/flash-0x0.bin/);
  expect(call).toHaveBeenCalledWith('read', 1, { offset: 0, length: 4 * 2 ** 20 });
});
