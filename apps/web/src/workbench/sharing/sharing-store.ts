/** State of the shared bench on its page. Kept small, because pages load it before a bench is shared. */
import type { PortNumber } from '@wirebench/serial';
import type { PortNames } from '../../protocol/bench/port-part.ts';
import type { ShareHours, ShareStatus } from '../../protocol/share-protocol.ts';
import { pageStore } from '../../shared/page-store.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';

/** Button that opened the dialog: the one of the toolbar or the one of the bar. */
export type DialogPlace = 'toolbar' | 'bar';

/** A link to another document, for which this one would be left. */
export interface Leaving {
  readonly href: string;
}

interface SharingState {
  readonly phase: 'off' | 'starting' | 'on';
  /** Share link; null while the bench is not shared. */
  readonly link: string | null;
  /** Lifetime of the link in hours, for the current or the next link. */
  readonly hours: ShareHours;
  /** True: guests get the newest lines from before they joined. On until the user switches it off in this browser. */
  readonly showsEarlier: boolean;
  /** Null until the worker's first report. */
  readonly status: ShareStatus | null;
  /** Reason why there is no link, as a sentence; null without a failure. */
  readonly failure: string | null;
  readonly dialog: DialogPlace | null;
  /** True: the current page has a place of its own for the bar. */
  readonly hasPlace: boolean;
  /** True: the current page has a place for the dialog in its layout. */
  readonly hasDock: boolean;
  /** Names of the ports as guests see them. */
  readonly portNames: PortNames;
  /**
   * Closes the page's use of a port, and resolves with false if that is impossible now. A bench's session releases
   * its port by itself.
   */
  readonly releasePort: (port: PortNumber) => Promise<boolean>;
  /** Navigation that waits for the user's answer, because sharing would end with the document. */
  readonly leaving: Leaving | null;
}

/** Key in the browser's storage. The value `off` keeps the lines from guests. */
export const earlierKey = 'wirebench.share-earlier-lines';

const sharingStore = pageStore<SharingState>({
  phase: 'off',
  link: null,
  hours: 8,
  showsEarlier: browserStorage.getItem(earlierKey) !== 'off',
  status: null,
  failure: null,
  dialog: null,
  hasPlace: false,
  hasDock: false,
  portNames: { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' },
  releasePort: async () => true,
  leaving: null,
});

export const { getState: sharingNow, setState: changeSharing, subscribe: onSharingChange } = sharingStore;

export const useSharing = sharingStore.use;

export function showShareDialog(dialog: DialogPlace | null): void {
  sharingStore.setState({ dialog });
}

/** Source for the browser's warning before the document is left, because sharing ends with the document. */
export const sharedBenches = {
  count: () => (sharingStore.getState().phase === 'off' ? 0 : 1),
  subscribe: (listener: () => void) => sharingStore.subscribe(listener),
};
