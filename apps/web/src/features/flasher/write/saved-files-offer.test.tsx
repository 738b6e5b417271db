import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallError } from '../../../protocol/calls/call-client.ts';
import type { PlanFacts, SavedArchive } from '../../../protocol/flash-protocol.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { fakeDownloads } from '../../../workbench/testing/saved-files.ts';
import { write, writeByItself, writeUnsaved } from '../store/flash-actions.ts';
import { dispatch, flashOf, startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../testing/families.ts';
import { SavedFilesOffer } from './saved-files-offer.tsx';

const call = fakeFlasher();
const saved = fakeDownloads();

const archive: SavedArchive = {
  name: 'rp2040-files-at-0x100A0000.zip',
  content: new Blob(['zip']),
  isPutBack: false,
};
const rest: SavedArchive = { name: 'rp2040-0x10000800.bin', content: new Blob(['rest']), isPutBack: true, offset: 8 };
const report = { state: 'complete', written: 4_096, same: 0, regions: [], duration: 1 };

type Answers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Answers the calls of the page. Those without an answer resolve with undefined. */
const answer = (answers: Answers) =>
  call.mockImplementation(async (name: string) => (answers[name] as (() => unknown) | undefined)?.());
const calls = () => call.mock.calls.map(([name]) => name);
const fails = (message: string) => () => {
  throw new Error(message);
};

function planned(...isPutBack: readonly boolean[]): PlanFacts {
  const area = 'the files of MicroPython (LittleFS)';
  const plan = { ...testPlan, saved: isPutBack.map((back) => ({ file: archive.name, area, isPutBack: back })) };
  act(() => {
    dispatch(1, { type: 'plan' });
    dispatch(1, { type: 'planned', plan });
  });
  return plan;
}

const isUntouched = () => {
  expect(calls()).not.toContain('write');
  expect(flashOf(1).phase).toBe('planned');
};

describe('files that a write takes', () => {
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

  it('are not mentioned for a plan that takes none', () => {
    planned();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('are saved by the offer before the write, and not a second time by the write', async () => {
    planned(false);
    expect(screen.getByText('The write takes files of the board.')).toBeDefined();
    answer({ savedFiles: () => [archive], write: () => report });
    await userEvent.click(screen.getByRole('button', { name: 'Save the files first' }));
    expect(saved).toHaveBeenCalledExactlyOnceWith(archive.content, archive.name);
    expect(screen.getByText(`${archive.name} was sent to your downloads.`)).toBeDefined();
    planned(true);
    expect(screen.getByText('The write moves files of the board.')).toBeDefined();
    await act(() => write(1));
    expect(saved).toHaveBeenCalledTimes(1);
    expect(flashOf(1).phase).toBe('done');
  });

  it('go to the downloads before the write begins, and are offered again after it', async () => {
    planned(false);
    const before: (readonly string[])[] = [];
    saved.mockImplementation(() => before.push(calls()));
    answer({ savedFiles: () => [archive], write: () => report });
    await act(() => write(1));
    expect(before).toEqual([['savedFiles']]);
    expect(call).toHaveBeenCalledWith('write', 1, true);
    expect(screen.getByText('The files that the board had were sent to your downloads.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Save the files again' }));
    expect(saved).toHaveBeenLastCalledWith(archive.content, archive.name);
  });

  it('stop the write if they cannot be read, and only a person gives them up', async () => {
    planned(false);
    answer({ savedFiles: fails('The board is gone.'), write: () => report });
    await act(() => write(1));
    isUntouched();
    expect(flashOf(1)).toMatchObject({ held: true, unsaved: true });
    expect(flashOf(1).heldText).toBe('The files of the board could not be saved. The board is gone.');
    expect(screen.getByText('Write without saving gives them up.', { exact: false })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Write without saving' }));
    expect(call).toHaveBeenCalledWith('write', 1, true);
    expect(saved).not.toHaveBeenCalled();
  });

  it('stop the write if the download cannot be started', async () => {
    planned(false);
    saved.mockImplementation(fails('No room.'));
    answer({ savedFiles: () => [archive], write: () => report });
    await act(() => write(1));
    isUntouched();
    expect(toasts().current).toBeNull();
    expect(flashOf(1).heldText).toContain('No room.');
  });

  it('are offered after a write without saving, as long as the page holds them', async () => {
    planned(false);
    answer({ savedFiles: () => [archive], write: () => report });
    await act(() => writeUnsaved(1));
    expect(saved).not.toHaveBeenCalled();
    expect(screen.getByText('The files that the board had are in this page only.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Save the files' }));
    expect(saved).toHaveBeenCalledExactlyOnceWith(archive.content, archive.name);
  });

  it('are offered after a write that has failed, with what it was to put back', async () => {
    planned(true);
    const detail = { detail: null, state: 'incomplete' };
    const message = 'The board was unplugged.';
    const unplugged = () => Promise.reject(new CallError({ name: 'FlashError', message, code: 'unplugged', detail }));
    answer({ savedFiles: () => [archive, rest], write: unplugged });
    await act(() => write(1));
    expect(flashOf(1).phase).toBe('failed');
    expect(saved).toHaveBeenCalledExactlyOnceWith(archive.content, archive.name);
    expect(screen.getByRole('button', { name: 'Save the files again' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Save the data' }));
    expect(saved).toHaveBeenLastCalledWith(rest.content, rest.name);
  });

  it('wait for a press of Write in batch mode', async () => {
    planned(false);
    answer({ savedFiles: () => [archive], write: () => report });
    await act(() => writeByItself(1));
    isUntouched();
    expect(flashOf(1)).toMatchObject({ held: true, unsaved: false });
    expect(flashOf(1).heldText).toContain('Write saves them first.');
    expect(saved).not.toHaveBeenCalled();
  });

  it('go to one download from several file systems', async () => {
    planned(false, false);
    const other = { ...archive, name: 'rp2040-files-at-0x10180000.zip' };
    answer({ savedFiles: () => [archive, other], write: () => report });
    await act(() => write(1));
    expect(saved.mock.calls.map(([, name]) => name)).toEqual(['esp32-files.zip']);
  });
});
