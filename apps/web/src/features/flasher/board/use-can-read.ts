/** State of the board in view, as the views of its contents need it. */
import type { FlashPhase } from '../state/flash-state.ts';
import { isReady } from '../state/flash-state.ts';
import { useFlash } from '../store/flasher-store.ts';

/** Phases in which nothing can be planned. While the plan is compared, edits continue. */
const lockedPhases: readonly FlashPhase[] = ['connecting', 'writing', 'restarting', 'working', 'releasing'];

/** Returns true if the board is in its bootloader and idle, or only being compared with the plan. */
export function useCanRead(): boolean {
  return useFlash(({ phase }) => isReady({ phase }) || phase === 'planning');
}

/** Returns true while the board is written or read, so that nothing can be edited. */
export function useLocked(): boolean {
  return useFlash(({ phase }) => lockedPhases.includes(phase));
}
