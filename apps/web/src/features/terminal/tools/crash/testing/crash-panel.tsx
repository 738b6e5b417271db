/** Renders the crash panel in jsdom. The symbol thread's code runs in the test's thread. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { appInfo, coreElf, extraInfo, riscvStatus, words } from '@wirebench/symbols/testing';
import { vi } from 'vitest';
import { SymbolThread } from '../../../../../workbench/crash/testing/symbol-thread.ts';
import { CrashPanel } from '../crash-panel.tsx';
import { SendCrashPlace } from '../send/send-crash-place.tsx';

const registers = (pc: number, sp: number) => [pc, 0x4200_0100, sp, ...Array.from({ length: 29 }, (_, index) => index)];

const dumpAt = (pc: number, sp: number) =>
  coreElf({
    machine: 243,
    notes: [
      riscvStatus(0x3fc9_1000, registers(pc, sp)),
      riscvStatus(0x3fc9_2000, registers(0x4200_9000, 0x3fc9_6000)),
      appInfo(0x0005_0102, '5f1c7a90b'),
      extraInfo(0x3fc9_1000),
    ],
    memory: [{ address: 0x3fc9_4b10, bytes: words(1, 2, 3, 0x4200_8b12) }],
  });

/** Core dump with two tasks of a RISC-V chip. */
export const crashedDump = dumpAt(0x4200_8a3c, 0x3fc9_4b10);

/** The same dump, but crashed one instruction later and with another stack pointer. */
export const otherDump = dumpAt(0x4200_8a40, 0x3fc9_4b14);

/** Replaces `Worker`, which jsdom does not have. */
export function readInThisThread(): void {
  vi.stubGlobal('Worker', SymbolThread);
}

export async function openPanel(...files: readonly File[]): Promise<void> {
  render(
    <>
      <CrashPanel onShowTime={() => undefined} onFound={() => undefined} />
      <SendCrashPlace />
    </>,
  );
  await userEvent.upload(screen.getByLabelText('ELF files of the firmware, and core dumps'), [...files]);
}

/** Chooses an action of the shown crash. */
export async function chooseAction(name: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'More about this crash' }));
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}
