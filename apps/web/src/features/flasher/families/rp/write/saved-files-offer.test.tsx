import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../../../shared/testing/stores.ts';
import { toasts } from '../../../../../shared/testing/toasts.ts';
import { fakeDownloads } from '../../../../../workbench/testing/saved-files.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { fakeFlasher } from '../../../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../../../testing/families.ts';
import { SavedFilesOffer } from './saved-files-offer.tsx';

const call = fakeFlasher();
const saved = fakeDownloads();

const archive = { name: 'rp2040-files-at-0x100A0000.zip', content: new Blob(['zip']) };
const warning = (code: string) => ({ code, what: '', remedy: '', files: [] });

function planned(...codes: readonly string[]): void {
  const plan = { ...testPlan, warnings: codes.map(warning) };
  act(() => {
    dispatch(1, { type: 'plan' });
    dispatch(1, { type: 'planned', plan });
  });
}

describe('the offer of a board’s files', () => {
  beforeEach(() => {
    call.mockReset();
    saved.mockReset();
    resetStores();
    startFlasher(testFamily);
    dispatch(1, { type: 'connect', source: { kind: 'demo' } });
    dispatch(1, { type: 'connected', board: testBoard() });
    render(<SavedFilesOffer />);
  });
  afterEach(cleanup);

  it('is absent for a plan that takes no files', () => {
    planned('by-drive');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('saves the archive of a plan that takes files, once for each plan', async () => {
    planned('files-not-put-back');
    expect(screen.getByText('The write takes files of the board.')).toBeDefined();
    call.mockResolvedValue([archive]);
    await userEvent.click(screen.getByRole('button', { name: 'Save the files first' }));
    expect(call).toHaveBeenCalledWith('savedFiles', 1);
    expect(saved).toHaveBeenCalledExactlyOnceWith(archive.content, archive.name);
    expect(screen.getByText(`${archive.name} is in your downloads.`)).toBeDefined();
    planned('puts-files-back');
    expect(screen.getByText('The write moves files of the board.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save the files first' })).toBeDefined();
  });

  it('says why nothing could be saved', async () => {
    planned('puts-files-back', 'files-left-out');
    call.mockRejectedValue(new Error('The board is gone.'));
    await userEvent.click(screen.getByRole('button', { name: 'Save the files first' }));
    expect(saved).not.toHaveBeenCalled();
    expect(toasts().current).toMatchObject({ text: 'The board is gone.', level: 'error' });
    expect(screen.getByRole('button', { name: 'Save the files first' })).toBeDefined();
  });
});
