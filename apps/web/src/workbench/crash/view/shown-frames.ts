/** Which task of a core dump is shown, and which frame of each task: kept by the page, because a window that becomes wider makes the view anew. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface ShownFrames {
  /** TCB of the task; null while nobody has chosen one. */
  readonly task: number | null;
  /** By the TCB of its task; the innermost one where there is none. */
  readonly frames: Readonly<Record<number, number>>;
}

const none: ShownFrames = { task: null, frames: {} };

/** By the number of the dump, of which none is given twice. */
const shown = createStore<Readonly<Record<number, ShownFrames>>>(() => ({}));

export function useShownFrames(dump: number): ShownFrames {
  return useStore(shown, (all) => all[dump] ?? none);
}

export function showTask(dump: number, task: number): void {
  shown.setState((all) => ({ [dump]: { ...(all[dump] ?? none), task } }));
}

export function showFrame(dump: number, task: number, frame: number): void {
  shown.setState((all) => {
    const before = all[dump] ?? none;
    return { [dump]: { ...before, frames: { ...before.frames, [task]: frame } } };
  });
}
