/** State of the shared bench on its page. Small, because pages load it before a bench is shared. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PortNames } from '../../protocol/bench-protocol.ts';
import type { ShareHours, ShareStatus } from '../../protocol/share-protocol.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';

/** The button that has opened the dialog: that of the toolbar, or that of the bar. */
export type DialogPlace = 'toolbar' | 'bar';

/** Another document that this one would be left for. */
export interface Leaving {
  readonly href: string;
}

export interface SharingState {
  readonly phase: 'off' | 'starting' | 'on';
  /** While the bench is shared. */
  readonly link: string | null;
  /** After so many hours the link ends, or will when there is one. */
  readonly hours: ShareHours;
  /** True: guests get the newest lines from before they came. Off until a person switches it on in this browser. */
  readonly showsEarlier: boolean;
  /** Null until the host has told. */
  readonly status: ShareStatus | null;
  /** Reason why there is no link, in a sentence; null without a failure. */
  readonly failure: string | null;
  readonly dialog: DialogPlace | null;
  /** The page that is shown has a place of its own for the bar. */
  readonly hasPlace: boolean;
  /** The page that is shown has a place for the dialog in its layout. */
  readonly hasDock: boolean;
  /** Names of the ports, as guests see them. */
  readonly portNames: PortNames;
  /** Closes what this page has open at a port; false when it cannot do so now. A bench's session gives its port by itself. */
  readonly letGo: (port: PortNumber) => Promise<boolean>;
  /** Asked about: with the document, sharing would end. */
  readonly leaving: Leaving | null;
}

/** Key in the browser's storage; the value `on` is the consent. */
export const earlierKey = 'wirebench.share-earlier-lines';

export const sharingStore = createStore<SharingState>(() => ({
  phase: 'off',
  link: null,
  hours: 8,
  showsEarlier: browserStorage.getItem(earlierKey) === 'on',
  status: null,
  failure: null,
  dialog: null,
  hasPlace: false,
  hasDock: false,
  portNames: { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' },
  letGo: async () => true,
  leaving: null,
}));

export function useSharing<Part>(select: (state: SharingState) => Part): Part {
  return useStore(sharingStore, select);
}

export function showShareDialog(dialog: DialogPlace | null): void {
  sharingStore.setState({ dialog });
}

/** For the warning before the document is left: with it, sharing ends. */
export const sharedBenches = {
  count: () => (sharingStore.getState().phase === 'off' ? 0 : 1),
  subscribe: (listener: () => void) => sharingStore.subscribe(listener),
};
