/** Tests core dumps in the crash panel. The code of the symbol thread reads the dumps. */

import { cleanup, render, renderHook, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { crashText, espFirmwareSet } from '@wirebench/devices';
import { printed } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Toaster } from '../../../../shared/ui/toaster.tsx';
import { replaceBench } from '../../../../workbench/bench.ts';
import { addCrashFile, removeSymbolFile, useSymbolFiles } from '../../../../workbench/crash/symbol-files.ts';
import { chooseAction, crashedDump as dump, openPanel, otherDump, readInThisThread } from './testing/crash-panel.tsx';

beforeEach(readInThisThread);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a report of a log', () => {
  it('says which frames are missing', async () => {
    const report = [
      '*** CRASH DETECTED ON PREVIOUS BOOT ***',
      'BT0: 0x4018F32B  (backtrace)',
      'BT3: 0x4018F2EF  (backtrace)',
    ];
    await openPanel(new File([report.join('\n')], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Crash' });
    expect(await within(view).findByText('Frames 1 and 2 are missing in the log.')).toBeTruthy();
    await userEvent.click(within(view).getByRole('button', { name: 'Remove this crash' }));
  });
});

describe('a core dump', () => {
  it('is shown with its cause, its tasks, and what is missing to know more', async () => {
    await openPanel(new File([printed(dump)], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText('The board crashed in the task at 0x3FC91000')).toBeTruthy();
    expect(view.textContent).toContain('monitor.log · a RISC-V chip · no checksum · ELF file 5f1c7a90b');
    expect(view.textContent).toContain('Drop the ELF file whose SHA-256 begins with 5f1c7a90b on the page');
    const tasks = within(view).getByRole('list', { name: 'Tasks, the crashed one first' });
    expect(within(tasks).getAllByRole('button')).toHaveLength(2);
    expect(within(view).getByRole('list', { name: 'Frames, innermost first' }).textContent).toContain('0x42008A3C');
    expect(within(view).getByRole('region', { name: 'Stack' }).textContent).toContain('42008B12');
    await userEvent.click(within(tasks).getByRole('button', { name: /0x3FC92000/ }));
    expect(within(view).getByRole('list', { name: 'Frames, innermost first' }).textContent).toContain('0x42009000');
    expect(view.textContent).toContain('The dump holds nothing of its stack.');
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
    expect(screen.queryByRole('article', { name: 'Core dump' })).toBeNull();
  });

  it('is copied for an agent in a fence, before the end of the log', async () => {
    let copied = '';
    const writeText = async (text: string) => {
      copied = text;
    };
    await openPanel(new File([printed(dump)], 'monitor.log'));
    await screen.findByRole('button', { name: 'More about this crash' });
    replaceBench({ call: () => Promise.resolve({ rows: [] }) } as unknown as Parameters<typeof replaceBench>[0]);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await chooseAction('Copy for an agent');
    // The code that copies is fetched when it is first used.
    await vi.waitFor(
      () => expect(copied).toMatch(/--- [\da-f]{32} begins ---\nThe board crashed in the task at 0x3FC91000\n/),
      { timeout: 15_000 },
    );
    replaceBench(null);
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
  });

  it('keeps the selected task when a wider window builds the panel again', async () => {
    const shown = () => screen.findByRole('list', { name: 'Frames, innermost first' });
    await openPanel(new File([printed(dump)], 'monitor.log'));
    await userEvent.click(await screen.findByRole('button', { name: /0x3FC92000/ }));
    expect((await shown()).textContent).toContain('0x42009000');
    cleanup();
    await openPanel();
    expect((await shown()).textContent).toContain('0x42009000');
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
  });

  it('is compared with another one, frame by frame and register by register', async () => {
    await openPanel(new File([printed(dump)], 'monday.log'), new File([printed(otherDump)], 'tuesday.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    const choice = await within(view).findByRole('combobox', { name: 'Compare with another crash' });
    await userEvent.selectOptions(choice, within(choice).getByRole('option', { name: /monday\.log/ }));
    const both = await screen.findByRole('article', { name: 'Two crashes' });
    const frames = await within(both).findByRole('list', { name: 'Frames of both, innermost first' });
    expect(
      within(frames)
        .getAllByRole('listitem')
        .map((row) => row.textContent),
    ).toEqual([
      expect.stringMatching(/^Different.*0x42008A3C.*No such frame$/),
      expect.stringMatching(/^DifferentNo such frame.*0x42008A40/),
    ]);
    expect(within(both).getByRole('region', { name: 'First crash' }).textContent).toContain('monday.log');
    expect(within(both).getByRole('row', { name: /Different/ })).toBeTruthy();
    await userEvent.click(within(both).getByRole('button', { name: 'Close the comparison' }));
    expect(screen.queryByRole('article', { name: 'Two crashes' })).toBeNull();
    await userEvent.selectOptions(
      await screen.findByRole('combobox', { name: 'Compare with another crash' }),
      screen.getByRole('option', { name: /monday\.log/ }),
    );
    await screen.findByRole('article', { name: 'Two crashes' });
    // Choosing another crash ends the comparison.
    const list = screen.getByRole('list', { name: 'Crashes and restarts, newest first' });
    await userEvent.click(within(list).getByRole('button', { name: /tuesday\.log/ }));
    expect(await screen.findByRole('article', { name: 'Core dump' })).toBeTruthy();
    for (let left = 2; left > 0; left--) {
      await userEvent.click(await screen.findByRole('button', { name: 'Remove this crash' }));
    }
  });

  it.each([
    [
      'ESP-IDF',
      [
        "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.",
        'Backtrace: 0x400d5b3b:0x3ffb4e10',
      ],
    ],
    [
      'the Arduino IDE',
      [
        '12:34:56.789 -> abort() was called at PC 0x400d2a1b on core 0',
        '12:34:56.790 -> Backtrace: 0x400d5b3b:0x3ffb4e10',
      ],
    ],
  ])('opens the log of a crash that has none: %s', async (_tool, lines) => {
    await openPanel(new File([`boot\r\n${lines.join('\r\n')}\r\n`], 'monitor.txt'));
    const view = await screen.findByRole('article', { name: 'Crash' });
    expect(within(view).getByRole('list', { name: 'Addresses' }).textContent).toContain('0x400D5B3B');
    expect(within(view).queryByRole('button', { name: 'Show in the log' })).toBeNull();
    await userEvent.click(within(view).getByRole('button', { name: 'Remove this crash' }));
    expect(screen.queryByRole('article', { name: 'Crash' })).toBeNull();
  });

  it('reports a text without a crash', async () => {
    await openPanel(new File(['hello\n'], 'notes.txt'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText(/There is no core dump here/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
  });

  it('reports with a remedy that it ends too early', async () => {
    await openPanel(new File([printed(dump).slice(0, 300)], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText(/This core dump ends too early/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
  });
});

describe('removing a crash', () => {
  const remove = async () => userEvent.click(await screen.findByRole('button', { name: 'Remove this crash' }));
  const undo = async () => userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  const title = async () =>
    (await screen.findByRole('article', { name: 'Core dump' })).querySelector('h2')?.textContent;
  const file = (name: string, content = dump) => new File([printed(content)], name);

  afterEach(async () => {
    for (let left = 3; left > 0 && screen.queryByRole('button', { name: 'Remove this crash' }) !== null; left--) {
      await remove();
    }
  });

  it('leaves the tool with its way to add a file, where the focus is', async () => {
    await openPanel(file('monitor.log'));
    await title();
    (await screen.findByRole('button', { name: 'Remove this crash' })).focus();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText(/^No crash so far/)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Add ELF file/ })).toBeTruthy();
  });

  it('is undone with its tasks, also after another crash came', async () => {
    render(<Toaster />);
    await openPanel(file('monday.log'));
    expect(await title()).toBe('The board crashed in the task at 0x3FC91000');
    await remove();
    expect(screen.queryByRole('article', { name: 'Core dump' })).toBeNull();
    await addCrashFile(file('tuesday.log', otherDump));
    await title();
    expect(screen.queryByRole('list', { name: /^Crashes/ })).toBeNull();
    await undo();
    const list = await screen.findByRole('list', { name: /^Crashes/ });
    const rows = within(list).getAllByRole('button');
    expect(rows).toHaveLength(2);
    await userEvent.click(rows[1] ?? list);
    expect((await screen.findByRole('article', { name: 'Core dump' })).textContent).toContain('monday.log');
    expect(await screen.findByRole('list', { name: 'Frames, innermost first' })).toBeTruthy();
  });

  it('is undone for the newest of two that were removed', async () => {
    render(<Toaster />);
    await openPanel(file('monday.log'), file('tuesday.log', otherDump));
    await screen.findByRole('list', { name: /^Crashes/ });
    const shown = async () => (await screen.findByRole('article', { name: 'Core dump' })).textContent ?? '';
    await remove();
    await vi.waitFor(async () => expect(await shown()).toMatch(/(monday|tuesday)\.log · /));
    const last = /(monday|tuesday)\.log/.exec(await shown())?.[0] ?? '';
    await remove();
    await undo();
    await vi.waitFor(async () => expect(await shown()).toContain(`${last} · `));
    expect(screen.queryByRole('list', { name: /^Crashes/ })).toBeNull();
  });
});

describe('an ELF file that was built again after it was opened', () => {
  const set = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: 'any' });
  const bytes = Uint8Array.from(set.find(({ name }) => name.endsWith('.elf'))?.data ?? []);
  const elf = (lastModified = 1) => new File([bytes], 'firmware.elf', { lastModified });
  const list = () => screen.getByRole('list', { name: 'ELF files' });
  const opened = () => vi.waitFor(() => expect(list().textContent).toMatch(/Xtensa|xtensa/));
  const text = () => list().textContent ?? '';

  /** Lets the browser refuse the file from here on, as after a change on the disk. */
  function changeOnDisk(file: File): void {
    const refuse = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
    Object.assign(file, { arrayBuffer: refuse, slice: () => ({ arrayBuffer: refuse }) });
  }

  afterEach(() => {
    const { result } = renderHook(useSymbolFiles);
    removeSymbolFile(result.current[0]?.id ?? 0);
  });

  it('is named when the window gets the focus, and is chosen again', async () => {
    const file = elf();
    await openPanel(file);
    await opened();
    window.dispatchEvent(new Event('focus'));
    expect(screen.queryByRole('button', { name: 'Open it again' })).toBeNull();
    changeOnDisk(file);
    window.dispatchEvent(new Event('focus'));
    const again = await screen.findByRole('button', { name: 'Open it again' });
    expect(text()).toContain('has changed since it was opened. The names are those of the older build.');
    const input = screen.getByLabelText('ELF files of the firmware, and core dumps');
    const asked = vi.spyOn(input, 'click');
    await userEvent.click(again);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
    await userEvent.upload(input, elf(2));
    await vi.waitFor(() => expect(text()).not.toContain('has changed'));
    await opened();
  });

  it('is read again by its handle where the browser gave one', async () => {
    await openPanel();
    let newest = elf(1);
    await addCrashFile(newest, { reread: async () => newest });
    await opened();
    newest = elf(2);
    window.dispatchEvent(new Event('focus'));
    await userEvent.click(await screen.findByRole('button', { name: 'Open it again' }));
    await vi.waitFor(() => expect(text()).not.toContain('has changed'));
    await opened();
  });

  it('gives no names to a core dump when the rest of it can no longer be read', async () => {
    const file = elf();
    await openPanel(file);
    await opened();
    changeOnDisk(file);
    await addCrashFile(new File([crashText('task', 4_200)], 'crashed.log'));
    await screen.findByRole('button', { name: 'Open it again' });
    const view = await screen.findByRole('article', { name: 'Core dump' });
    const frames = await within(view).findByRole('list', { name: 'Frames, innermost first' });
    expect(frames.textContent).toMatch(/0x4[\dA-F]{7}/);
    expect(frames.textContent).not.toContain('.c');
    await userEvent.click(screen.getByRole('button', { name: 'Remove this crash' }));
  });
});
