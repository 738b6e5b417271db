/** Tests core dumps in the crash panel. The code of the symbol thread reads the dumps. */

import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { printed } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { crashedDump as dump, openPanel, otherDump, readInThisThread } from './testing/crash-panel.tsx';

beforeEach(readInThisThread);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
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
    await userEvent.click(screen.getByRole('button', { name: 'Close monitor.log' }));
    expect(screen.queryByRole('article', { name: 'Core dump' })).toBeNull();
  });

  it('keeps the task that was chosen when the window becomes wider, which makes the panel anew', async () => {
    const shown = () => screen.findByRole('list', { name: 'Frames, innermost first' });
    await openPanel(new File([printed(dump)], 'monitor.log'));
    await userEvent.click(await screen.findByRole('button', { name: /0x3FC92000/ }));
    expect((await shown()).textContent).toContain('0x42009000');
    cleanup();
    await openPanel();
    expect((await shown()).textContent).toContain('0x42009000');
    await userEvent.click(screen.getByRole('button', { name: 'Close monitor.log' }));
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
    for (const name of ['tuesday.log', 'monday.log']) {
      await userEvent.click(await screen.findByRole('button', { name: `Close ${name}` }));
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
    await userEvent.click(within(view).getByRole('button', { name: 'Close this crash' }));
    expect(screen.queryByRole('article', { name: 'Crash' })).toBeNull();
  });

  it('says so where a text holds no crash', async () => {
    await openPanel(new File(['hello\n'], 'notes.txt'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText(/There is no core dump here/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close notes.txt' }));
  });

  it('that ends too early says so, and what to do', async () => {
    await openPanel(new File([printed(dump).slice(0, 300)], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText(/This core dump ends too early/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close monitor.log' }));
  });
});
