/** Loads the program into the chip's RAM, and returns to the boot ROM, which takes a reset. */
import { connectAgain, leave } from './lab-actions.ts';
import { getLab } from './lab-line.ts';
import { labNow } from './lab-store.ts';

export async function loadProgram(): Promise<void> {
  await getLab().call('loadProgram');
}

/** Cancels loading, or a waiting capture. */
export async function cancelProgram(): Promise<void> {
  await getLab().call('cancelProgram');
}

/**
 * Releases the pins and resets the board, then connects to its ROM again. With a check of flash it does not connect,
 * so that the result stays visible.
 */
export async function backToRom(): Promise<void> {
  const isChecked = labNow().tick.flash !== null;
  await leave();
  if (!isChecked) {
    await connectAgain();
  }
}
