/** The program in the chip's RAM: into it, and back to the boot ROM, which only a reset leads to. */
import { connectAgain, leave } from './lab-actions.ts';
import { getLab } from './lab-line.ts';
import { labStore } from './lab-store.ts';

export async function loadProgram(): Promise<void> {
  await getLab().call('loadProgram');
}

/** Loading, or a capture that waits. */
export async function cancelProgram(): Promise<void> {
  await getLab().call('cancelProgram');
}

/** Releases the pins and resets the board, then connects to its ROM again; where flash is checked, what came of that stays in sight. */
export async function backToRom(): Promise<void> {
  const isChecked = labStore.getState().tick.flash !== null;
  await leave();
  if (!isChecked) {
    await connectAgain();
  }
}
