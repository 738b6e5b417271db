/** Core dumps in the crash panel, read by the thread's own code. */

import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { appInfo, coreElf, extraInfo, printed, riscvStatus, words } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SymbolThread } from '../../../../workbench/crash/testing/symbol-thread.ts';
import { CrashPanel } from './crash-panel.tsx';

const registers = (pc: number, sp: number) => [pc, 0x4200_0100, sp, ...Array.from({ length: 29 }, (_, index) => index)];
const dump = coreElf({
  machine: 243,
  notes: [
    riscvStatus(0x3fc9_1000, registers(0x4200_8a3c, 0x3fc9_4b10)),
    riscvStatus(0x3fc9_2000, registers(0x4200_9000, 0x3fc9_6000)),
    appInfo(0x0005_0102, '5f1c7a90b'),
    extraInfo(0x3fc9_1000),
  ],
  memory: [{ address: 0x3fc9_4b10, bytes: words(1, 2, 3, 0x4200_8b12) }],
});

beforeEach(() => vi.stubGlobal('Worker', SymbolThread));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openPanel(...files: readonly File[]) {
  render(<CrashPanel onShowTime={() => undefined} />);
  await userEvent.upload(screen.getByLabelText('ELF files of the firmware, and core dumps'), [...files]);
}

describe('a core dump', () => {
  it('is shown with its cause, its tasks, and what is missing to know more', async () => {
    await openPanel(new File([printed(dump)], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText('The board crashed in the task at 0x3fc91000')).toBeTruthy();
    expect(view.textContent).toContain('monitor.log · a RISC-V chip · no checksum · ELF file 5f1c7a90b');
    expect(view.textContent).toContain('Drop the ELF file whose SHA-256 begins with 5f1c7a90b on the page');
    const tasks = within(view).getByRole('list', { name: 'Tasks, the crashed one first' });
    expect(within(tasks).getAllByRole('button')).toHaveLength(2);
    expect(within(view).getByRole('list', { name: 'Frames, innermost first' }).textContent).toContain('0x42008a3c');
    expect(within(view).getByRole('region', { name: 'Stack' }).textContent).toContain('42008b12');
    await userEvent.click(within(tasks).getByRole('button', { name: /0x3fc92000/ }));
    expect(within(view).getByRole('list', { name: 'Frames, innermost first' }).textContent).toContain('0x42009000');
    expect(view.textContent).toContain('The dump holds nothing of its stack.');
    await userEvent.click(screen.getByRole('button', { name: 'Close monitor.log' }));
    expect(screen.queryByRole('article', { name: 'Core dump' })).toBeNull();
  });

  it('that ends too early says so, and what to do', async () => {
    await openPanel(new File([printed(dump).slice(0, 300)], 'monitor.log'));
    const view = await screen.findByRole('article', { name: 'Core dump' });
    expect(await within(view).findByText(/This core dump ends too early/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close monitor.log' }));
  });
});
