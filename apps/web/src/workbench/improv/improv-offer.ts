/**
 * Boards whose Wi-Fi can be set up, as terminal and flasher offer it: by port, from what the bench has heard. *Not now*
 * is stored by board, in this browser only.
 */

import { parseJson } from '@wirebench/contract/json';
import type { PortNumber } from '@wirebench/serial';
import { useMemo } from 'react';
import { pageStore } from '../../shared/page-store.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { benchStatus, useBenchStatus } from '../bench-status.ts';
import { improvJob } from '../bench-waits.ts';
import { pageAddress } from './page-address.ts';

export interface ImprovOffer {
  /** `none`: the board has not answered Improv. `unconnected`: it waits for a network. `connected`: it has one. */
  readonly state: 'none' | 'unconnected' | 'connected';
  /** Name of the device as the board says; empty if it was not asked. */
  readonly name: string;
  /** Network that was set up on this page; empty for none. */
  readonly network: string;
  /** Address of its page for a link; null without one. */
  readonly address: string | null;
  /** True: *Not now* was chosen for this board. */
  readonly isDeclined: boolean;
}

interface OfferState {
  /** Keys of boards for which *Not now* was chosen, newest first. */
  readonly declined: readonly string[];
  /** Networks that boards were put on, by the time at which their port was connected. */
  readonly networks: Readonly<Partial<Record<PortNumber, { readonly since: number | null; readonly name: string }>>>;
}

const storageKey = 'wirebench.improv-not-now';
/** Number of boards for which *Not now* is remembered. */
const maxDeclined = 64;

const store = pageStore<OfferState>({
  declined: readDeclined(browserStorage.getItem(storageKey)),
  networks: {},
});
const saving = savingOf({ what: 'The choice Not now' });

/** Parses the stored keys. Values that are no text are dropped. */
function readDeclined(text: string | null): readonly string[] {
  const stored = parseJson(text ?? '[]');
  return Array.isArray(stored)
    ? stored.filter((key): key is string => typeof key === 'string' && key.length < 100).slice(0, maxDeclined)
    : [];
}

/** Returns the offer for the board of a port. */
export function useImprovOffer(port: PortNumber): ImprovOffer {
  const status = useBenchStatus(({ improv }) => improv[port]);
  const since = useBenchStatus((view) => view.status.ports[port].connectedAt);
  const key = useBenchStatus((view) => keyOf(view, port));
  const isDeclined = store.use(({ declined }) => declined.includes(key));
  const known = store.use(({ networks }) => networks[port]);
  return useMemo(
    () => ({
      state: !status.isHeard ? 'none' : status.state === 'connected' ? 'connected' : 'unconnected',
      name: status.information?.name ?? '',
      network: known?.since === since ? known.name : '',
      address: pageAddress(status.address),
      isDeclined,
    }),
    [status, since, isDeclined, known],
  );
}

/** Remembers *Not now* for the board of a port. */
export function declineImprov(port: PortNumber): void {
  const key = keyOf(benchStatus.view, port);
  const declined = [key, ...store.getState().declined.filter((other) => other !== key)].slice(0, maxDeclined);
  store.setState({ declined });
  saving(() => browserStorage.setItem(storageKey, JSON.stringify(declined)));
}

/** Remembers the network that the board of a port was put on, until the port is connected again. */
export function noteNetwork(port: PortNumber, name: string): void {
  const since = benchStatus.tick.status.ports[port].connectedAt;
  store.setState(({ networks }) => ({ networks: { ...networks, [port]: { since, name } } }));
}

/** Requests device information once, of a board that may not know Improv. Its answer becomes the offer of the port. */
export async function probeImprov(port: PortNumber, signal: AbortSignal): Promise<void> {
  const { status, improv } = benchStatus.tick;
  if (status.ports[port].state === 'connected' && improv[port].job === null) {
    // A port that is busy with a transfer is not probed, and the log says why.
    await improvJob(port, { kind: 'probe' }, signal).catch(() => undefined);
  }
}

/** The same notion of a board as in the list of remembered boards: browsers reveal only USB ids. */
function keyOf({ status }: Pick<typeof benchStatus.view, 'status'>, port: PortNumber): string {
  const { usbVendorId, usbProductId } = status.ports[port].info ?? {};
  return `${usbVendorId ?? 'none'}:${usbProductId ?? 'none'}:${port}`;
}
