/** Which of the session's crashes the panel shows, and which one beside it. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type Choice = { readonly incident: number } | { readonly dump: number };

interface Chosen {
  readonly choice: Choice | null;
  /** The crash that the chosen one is compared with. */
  readonly compared: Choice | null;
}

/** For as long as the page lives: turning a phone makes the panel anew. */
const chosen = createStore<Chosen>(() => ({ choice: null, compared: null }));

export function useChosenCrash(): Chosen {
  return useStore(chosen);
}

/** Ends a comparison: it was of the crash that was chosen before. */
export function chooseCrash(choice: Choice): void {
  chosen.setState({ choice, compared: null });
}

export function compareWith(compared: Choice | null): void {
  chosen.setState({ compared });
}
