/**
 * Selected task of a core dump, and selected frame of each task. The page keeps it, because a resized window mounts
 * the view again.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface ShownFrames {
  /** TCB of the selected task; null before a selection. */
  readonly task: number | null;
  /** Selected frame by the TCB of its task. A task without an entry shows its innermost frame. */
  readonly frames: Readonly<Record<number, number>>;
}

const none: ShownFrames = { task: null, frames: {} };

/** By id of the dump. Ids are never reused. */
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
