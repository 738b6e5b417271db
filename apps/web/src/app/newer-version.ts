/**
 * State of a newer version of the product that waits, as the page shows it. The code that looks for one is fetched
 * later (`new-version.ts`).
 */
import { headerState } from './header-state.ts';

/** Returns true once a reload shows a newer version. */
export function useHasNewerVersion(): boolean {
  return headerState.use(({ reload }) => reload !== null);
}

/** @param reload Reloads with the newer version. */
export function offerNewVersion(reload: () => void): void {
  headerState.setState({ reload });
}

export function takeNewVersion(): void {
  headerState.getState().reload?.();
}
