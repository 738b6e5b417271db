/**
 * State of a newer version of the product that waits, as the page shows it. The code that looks for one is fetched
 * later (`new-version.ts`).
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Reloads with the newer version. Null: this is the newest that is known. */
type Reload = (() => void) | null;

const newerVersion = createStore<{ readonly reload: Reload }>(() => ({ reload: null }));

/** Returns true once a reload shows a newer version. */
export function useHasNewerVersion(): boolean {
  return useStore(newerVersion, ({ reload }) => reload !== null);
}

/** @param reload Reloads with the newer version. */
export function offerNewVersion(reload: () => void): void {
  newerVersion.setState({ reload });
}

export function takeNewVersion(): void {
  newerVersion.getState().reload?.();
}
