/** Tests that a crash is read from the coredump partition of a board. */
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { appInfo, coreElf, extraInfo, printed, riscvStatus, words } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addLogDump, newestCoreDump } from '../../../../../workbench/crash/symbol-files.ts';
import { SymbolThread } from '../../../../../workbench/crash/testing/symbol-thread.ts';
import { changesOf, dropChanges } from '../../../store/board-changes.ts';
import { dispatch, startFlasher } from '../../../store/flasher-store.ts';
import { fakeFlasher } from '../../../testing/fake-flasher.ts';
import { testBoard, testFamily, testPlan } from '../../../testing/families.ts';
import { OnBoard } from '../on-board/on-board.tsx';
import { CrashCard } from './crash-card.tsx';
import { CrashStrip } from './crash-strip.tsx';

const call = fakeFlasher();

const range = { offset: 0x11_0000, length: 0x1_0000 };
const partition = (name: string, subtype: number) => ({
  name,
  type: 1,
  subtype,
  offset: range.offset,
  size: range.length,
  encrypted: false,
  readOnly: false,
});
const core = coreElf({
  machine: 243,
  notes: [
    riscvStatus(0x3fc9_1000, [0x4200_8a3c, 0x4200_0100, 0x3fc9_4b10, ...new Array<number>(29).fill(0)]),
    appInfo(0x0005_0102, '5f1c7a90b'),
    extraInfo(0x3fc9_1000),
  ],
  memory: [{ address: 0x3fc9_4b10, bytes: words(1, 2, 3, 4) }],
});
const erased = new Uint8Array(range.length).fill(0xff);

beforeEach(() => {
  vi.stubGlobal('Worker', SymbolThread);
  startFlasher(testFamily);
  call.mockReset();
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  const table = {
    hasMd5: true,
    size: 128,
    partitions: [partition('coredump', 3), { ...partition('nvs', 2), offset: 0x9000 }],
  };
  dispatch(1, { type: 'connected', board: testBoard({ table }) });
  render(
    <>
      <OnBoard />
      <CrashCard opened={null} />
    </>,
  );
});
afterEach(() => {
  dropChanges(1);
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens the partition in *On the board*. */
async function openCoredump() {
  fireEvent.click(await screen.findByRole('button', { name: /^coredump/ }));
}

async function readCrash(content: Uint8Array) {
  if (screen.queryByRole('button', { name: 'Read the crash' }) === null) {
    await openCoredump();
  }
  call.mockResolvedValueOnce(new Blob([content.slice()]));
  fireEvent.click(await screen.findByRole('button', { name: 'Read the crash' }));
  return screen.findByRole('article', { name: 'Core dump' });
}

describe('the crash on a board', () => {
  it('is offered where there is a partition for it, and read from nowhere else', async () => {
    const view = await readCrash(core);
    expect(call.mock.calls[0]).toEqual(['read', 1, range]);
    expect(call.mock.calls.some(([name]) => name === 'erase')).toBe(false);
    await within(view).findByRole('heading', { name: /The board crashed in the task at 0x3FC91000/ });
    await waitFor(() => expect(screen.queryByText('Reading the core dump.')).toBeNull());
    // The partition names the cause as well.
    expect(screen.getAllByRole('heading', { name: /The board crashed in the task at/ })).toHaveLength(2);
    expect(view.textContent).toContain('Add the ELF file whose SHA-256 begins with 5f1c7a90b to see');
  });

  it.each([
    ['an empty partition', erased, 'The coredump partition is empty'],
    [
      'an encrypted one',
      Uint8Array.from({ length: 4_096 }, (_, index) => (index * 167 + 131) & 0xff),
      'If the board encrypts its flash',
    ],
    [
      'a damaged one',
      Uint8Array.from([0x40, 0, 0, 0, 2, 1, 5, 0, ...new Array<number>(100).fill(7)]),
      'The checksum of this core dump is wrong',
    ],
  ])('says what is wrong: %s', async (_what, content, sentence) => {
    await readCrash(content);
    await screen.findByText(new RegExp(sentence));
  });

  it('keeps card and focus, and locks the buttons, while it is read', async () => {
    await openCoredump();
    const read = await screen.findByRole<HTMLButtonElement>('button', { name: 'Read the crash' });
    const answer = Promise.withResolvers<Blob>();
    call.mockReturnValueOnce(answer.promise);
    read.focus();
    fireEvent.click(read);
    await waitFor(() => expect(read.getAttribute('aria-disabled')).toBe('true'));
    expect(document.activeElement).toBe(read);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back up' }).disabled).toBe(true);
    answer.resolve(new Blob([core.slice()]));
    await screen.findByText('The crash was read from the board.');
    await waitFor(() => expect(read.getAttribute('aria-disabled')).toBeNull());
    expect(document.activeElement).toBe(read);
  });

  it('is named at the top of the page while the board holds it, and read from there', async () => {
    cleanup();
    render(<CrashStrip />);
    expect(screen.queryByText('This board holds a crash.')).toBeNull();
    const crash = { name: 'coredump', ...range };
    act(() => {
      dispatch(1, { type: 'work', kind: 'read', label: '' });
      dispatch(1, { type: 'worked', board: testBoard({ crash }) });
    });
    call.mockResolvedValueOnce(new Blob([core.slice()]));
    fireEvent.click(screen.getByRole('button', { name: 'Read the crash' }));
    await waitFor(() => expect(call.mock.calls[0]).toEqual(['read', 1, range]));
  });

  it('is erased as a planned change, with the next write', async () => {
    await openCoredump();
    call.mockImplementation(async (name) => (name === 'plan' ? testPlan : undefined));
    fireEvent.click(await screen.findByRole('button', { name: 'More about coredump' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Erase coredump' }));
    await screen.findByRole('button', { name: 'Undo coredump' });
    expect(changesOf(1).map(({ change }) => [change.name, change.erases])).toEqual([['coredump', [range]]]);
    expect(call.mock.calls.some(([name]) => name === 'erase' || name === 'write')).toBe(false);
  });

  it('in the monitor’s log is shown when it is opened, until another one is read from flash', async () => {
    await readCrash(core);
    const dump = addLogDump(printed(core), { port: 1, at: 1_000 });
    await readCrash(core);
    await screen.findByRole('region', { name: 'Crash read from a board' });
    cleanup();
    render(
      <>
        <OnBoard />
        <CrashCard opened={{ dump, newest: newestCoreDump() }} />
      </>,
    );
    const card = await screen.findByRole('region', { name: 'Crash in the monitor’s log' });
    expect(card.parentElement).toBe(document.activeElement);
    expect(within(card).getByRole('button', { name: 'Remove this crash' })).toBeTruthy();
    await readCrash(core);
    await screen.findByRole('region', { name: 'Crash read from a board' });
  });
});
