/** The crash panel of a simulated document, with the thread that reads dumps in the same thread. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { systemClock } from '@wirebench/clock';
import { appInfo, coreElf, extraInfo, riscvStatus, words } from '@wirebench/symbols/testing';
import { vi } from 'vitest';
import { SymbolStore } from '../../../../../workbench/crash/symbol-store.ts';
import { CrashPanel } from '../crash-panel.tsx';

const registers = (pc: number, sp: number) => [pc, 0x4200_0100, sp, ...Array.from({ length: 29 }, (_, index) => index)];

/** Of two tasks of a RISC-V chip. */
export const crashedDump = coreElf({
  machine: 243,
  notes: [
    riscvStatus(0x3fc9_1000, registers(0x4200_8a3c, 0x3fc9_4b10)),
    riscvStatus(0x3fc9_2000, registers(0x4200_9000, 0x3fc9_6000)),
    appInfo(0x0005_0102, '5f1c7a90b'),
    extraInfo(0x3fc9_1000),
  ],
  memory: [{ address: 0x3fc9_4b10, bytes: words(1, 2, 3, 0x4200_8b12) }],
});

/** An end of a connection that hands over what it is given: files of a simulated document cannot be cloned. */
class End extends EventTarget {
  other: End | null = null;

  postMessage(message: unknown): void {
    queueMicrotask(() => this.other?.dispatchEvent(new MessageEvent('message', { data: message })));
  }

  terminate(): void {
    this.other = null;
  }
}

class ThreadHere extends End {
  constructor() {
    super();
    const inside = new End();
    inside.other = this;
    this.other = inside;
    new SymbolStore(inside as unknown as MessagePort, systemClock);
  }
}

/** A simulated document has no workers. */
export function readInThisThread(): void {
  vi.stubGlobal('Worker', ThreadHere);
}

export async function openPanel(...files: readonly File[]): Promise<void> {
  render(<CrashPanel onShowTime={() => undefined} />);
  await userEvent.upload(screen.getByLabelText('ELF files of the firmware, and core dumps'), [...files]);
}
