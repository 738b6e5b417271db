/** The crash that the panel shows, and the crash that it is compared with. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type Choice = { readonly incident: number } | { readonly dump: number };

interface Chosen {
  readonly choice: Choice | null;
  /** Crash shown beside the chosen one. Null: no comparison. */
  readonly compared: Choice | null;
}

/** Kept outside the panel, because turning a phone remounts it. */
const chosen = createStore<Chosen>(() => ({ choice: null, compared: null }));

export function useChosenCrash(): Chosen {
  return useStore(chosen);
}

/** Chooses a crash. Ends the comparison, which belonged to the previous crash. */
export function chooseCrash(choice: Choice): void {
  chosen.setState({ choice, compared: null });
}

export function compareWith(compared: Choice | null): void {
  chosen.setState({ compared });
}
