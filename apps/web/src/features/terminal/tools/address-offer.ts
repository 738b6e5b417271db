/**
 * Settings requested by the page's address, until the port is connected or the user declines. Each address is applied
 * once.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { changeFind } from '../../../workbench/console/find/find-store.ts';
import { applyTemporarySettings, endTemporarySettings } from '../settings/settings-store.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import { readTerminalAddress, type TerminalAddress } from './terminal-address.ts';

interface AddressOffer extends TerminalAddress {
  readonly port: PortNumber;
}

interface AddressState {
  /** Query of the address that was applied last. */
  readonly search: string;
  readonly offer: AddressOffer | null;
}

const addressState = createStore<AddressState>(() => ({ search: '', offer: null }));

/**
 * Applies the address to the first free port. Ignored if this query was applied before, or if no port is free.
 *
 * @param search Query part of the address.
 */
export function takeUpAddress(search: string): void {
  if (search === addressState.getState().search) {
    return;
  }
  const address = readTerminalAddress(search);
  const port = portNumbers.find((number) => benchStatus.tick.status.ports[number].state === 'disconnected');
  if (address === null || port === undefined) {
    addressState.setState({ search, offer: null });
    return;
  }
  applyTemporarySettings(port, address);
  if (address.filter !== undefined) {
    changeFind({ text: address.filter, matchesOnly: true });
  }
  changeTerminalSession({ selectedPort: port });
  addressState.setState({ search, offer: { ...address, port } });
}

/** Closes the strip, after the port is connected or the hint was read. The settings last for this visit. */
export function closeOffer(): void {
  addressState.setState({ offer: null });
}

/** Restores the user's own settings. */
export function declineOffer(): void {
  endTemporarySettings();
  if (addressState.getState().offer?.filter !== undefined) {
    changeFind({ text: '', matchesOnly: false });
  }
  closeOffer();
}

export function useAddressOffer(): AddressOffer | null {
  return useStore(addressState, ({ offer }) => offer);
}
