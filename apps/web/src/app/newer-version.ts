/**
 * State of a newer version of the product that waits, as the page shows it. The code that looks for one is fetched
 * later (`new-version.ts`).
 */
import { createStore } from 'zustand/vanilla';

interface NewerVersion {
  /** `none`: this is the newest that is known. `ready`: a reload shows a newer one. */
  readonly state: 'none' | 'ready';
  /** Reloads with the newer version. */
  readonly take: () => void;
}

export const newVersionStore = createStore<NewerVersion>(() => ({ state: 'none', take: () => location.reload() }));

export function takeNewVersion(): void {
  newVersionStore.getState().take();
}
