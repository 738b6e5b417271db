/** The crash that the panel shows, and the crash that it is compared with. */
import { pageStore } from '../../../../shared/page-store.ts';

export type Choice = { readonly incident: number } | { readonly dump: number };

interface Chosen {
  readonly choice: Choice | null;
  /** Crash shown beside the chosen one. Null: no comparison. */
  readonly compared: Choice | null;
}

/** Kept outside the panel, because turning a phone remounts it. */
const chosen = pageStore<Chosen>({ choice: null, compared: null });

export const useChosenCrash = chosen.use;

/** Chooses a crash. Ends the comparison, which belonged to the previous crash. */
export function chooseCrash(choice: Choice): void {
  chosen.setState({ choice, compared: null });
}

export function compareWith(compared: Choice | null): void {
  chosen.setState({ compared });
}
