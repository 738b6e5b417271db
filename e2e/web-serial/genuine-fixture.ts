/**
 * A test whose Chromium may open an Arduino Uno that runs its genuine bootloader in simavr, in real time. DTR resets it, as
 * the capacitor on the board does.
 */
import { provideSimavrBoard, SimavrTerminal, TerminalDevice } from '@wirebench/flasher/testing/genuine-avr';
import { test as base, expect } from './fixture.ts';
import { serialNumberOf, unoPlug } from './known-boards.ts';
import { PluggedBoard } from './plugged-board.ts';

interface Fixtures {
  /** The board itself, whose flash a test reads. */
  chip: SimavrTerminal;
}

const simavr = provideSimavrBoard();

/** Reason for which this machine has no such board; null if it has. */
export const missingBoard = 'missing' in simavr ? simavr.missing : null;

export const test = base.extend<Fixtures>({
  // Playwright requires a destructured first parameter, even an empty one.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  chip: async ({}, use) => {
    const chip = await SimavrTerminal.start('program' in simavr ? simavr.program : '', 'uno');
    await use(chip);
    await chip.end();
  },
  board: async ({ host, chip }, use) => {
    const port = await host.addPort({ ...unoPlug, serialNumber: serialNumberOf(0), name: 'ttyACM0' });
    const board = new PluggedBoard(port, new TerminalDevice(chip));
    await use(board);
    board.unplug();
  },
});

export { expect };
