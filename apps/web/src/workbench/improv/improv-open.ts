/** The open dialog that sets up the Wi-Fi of a board. Small, because pages that never open it have it. */
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../shared/page-store.ts';

interface OpenImprov {
  /** Null: closed. */
  readonly port: PortNumber | null;
  /** True: the dialog was offered, so that *Not now* is remembered. */
  readonly isOffered: boolean;
}

const store = pageStore<OpenImprov>({ port: null, isOffered: false });

/** Opens the dialog for a port. `isOffered`: as an offer, whose *Not now* is remembered. */
export function openImprov(port: PortNumber, isOffered = false): void {
  store.setState({ port, isOffered });
}

export function closeImprov(): void {
  store.setState({ port: null });
}

export const useOpenImprov = store.use;
