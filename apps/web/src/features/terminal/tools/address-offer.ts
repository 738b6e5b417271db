/** The terminal that the page's address asks for, until it runs or is turned down. Taken up once for each address. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { takeTransferredPort } from '../../../hardware/transferred-port.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { changeFind } from '../../../workbench/console/find/find-store.ts';
import { connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { applyTemporarySettings, endTemporarySettings, terminalSettings } from '../settings/settings-store.ts';
import { terminalSession } from '../terminal-session.ts';
import { readTerminalAddress, type TerminalAddress } from './terminal-address.ts';

interface AddressOffer extends TerminalAddress {
  readonly port: PortNumber;
}

interface AddressState {
  /** The query that was taken up last. */
  readonly search: string;
  readonly offer: AddressOffer | null;
}

const addressState = createStore<AddressState>(() => ({ search: '', offer: null }));

/** Prepares the first port that is free. Does nothing when this query was taken up already, or when no port is free. */
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
  terminalSession.setState({ selectedPort: port });
  addressState.setState({ search, offer: { ...address, port } });
}

/** Opens the board that the flasher has transferred; where it cannot be told from others, the strip's button is still there. */
export async function openTransferredPort(): Promise<void> {
  const place = await takeTransferredPort();
  const { offer } = addressState.getState();
  if (place !== null && offer !== null) {
    await connectSource(offer.port, { kind: 'serial', place }, terminalSettings.getState().ports[offer.port].settings);
  }
}

/** The port runs, or the hint was read: its settings stay for this visit. */
export function closeOffer(): void {
  addressState.setState({ offer: null });
}

/** The person's own settings are in force again. */
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
