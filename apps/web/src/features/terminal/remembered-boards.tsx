/**
 * Boards connected before, as buttons in the empty terminal. Browsers reveal only USB ids, so a board is stored by
 * those, with its port, name and settings. The browser reports which boards are plugged in and permitted.
 */
import { deviceName } from '@wirebench/boards/device-name';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Cable } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type PortPlace, permittedPlaces, sameInfo, watchPortChanges } from '../../hardware/permitted-ports.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { Button } from '../../shared/ui/button.tsx';
import { connectSource, onConnected } from '../../workbench/port-picker/connect-port.ts';
import styles from './empty-states.module.css';
import {
  changePort,
  changePortSettings,
  onTerminalSettingsChange,
  portName,
  terminalSettingsNow,
  useTerminalSettings,
} from './settings/settings-store.ts';
import { longestName, readPortSettings, type TerminalSettings } from './settings/terminal-settings.ts';

const storageKey = 'wirebench.boards';

/** Number of stored boards, newest first. Older ones are dropped. */
const maxBoards = 16;

export interface RememberedBoard {
  readonly info: SerialPortInfo;
  readonly port: PortNumber;
  /** Port name as the user typed it, or an empty string. */
  readonly name: string;
  readonly settings: PortSettings;
}

/** Parses the stored boards. Each value is validated separately, so that an invalid one does not discard the others. */
export function readBoards(text: string | null): readonly RememberedBoard[] {
  const stored = parseJson(text ?? '[]');
  return (Array.isArray(stored) ? stored : []).slice(0, maxBoards).flatMap((entry): RememberedBoard[] => {
    const { info, port, name, settings } = fieldsOf(entry);
    const place = portNumbers.find((known) => known === port);
    const ids = fieldsOf(info);
    const id = (value: unknown) => (typeof value === 'number' ? value : undefined);
    const usbVendorId = id(ids['usbVendorId']);
    const usbProductId = id(ids['usbProductId']);
    return place === undefined || usbVendorId === undefined || usbProductId === undefined
      ? []
      : [
          {
            info: { usbVendorId, usbProductId },
            port: place,
            name: typeof name === 'string' ? name.slice(0, longestName) : '',
            settings: readPortSettings(settings),
          },
        ];
  });
}

const saving = savingOf({ what: 'The list of your boards' });

/** Stores a board. It replaces an entry with the same USB ids and port. */
export function rememberBoard(board: RememberedBoard): void {
  const others = readBoards(browserStorage.getItem(storageKey)).filter(
    ({ info, port }) => !(sameInfo(info, board.info) && port === board.port),
  );
  saving(() => browserStorage.setItem(storageKey, JSON.stringify([board, ...others].slice(0, maxBoards))));
}

/** Stores each board that the user connects, and updates its name if the port is renamed afterwards. */
export function useRememberBoards(): void {
  useEffect(() => {
    const known = new Map<PortNumber, RememberedBoard>();
    const remember = (board: RememberedBoard) => {
      known.set(board.port, board);
      rememberBoard(board);
    };
    const end = onConnected((port, source, settings) => {
      known.delete(port);
      if (source.kind === 'serial' && source.place.info.usbVendorId !== undefined) {
        remember({ info: source.place.info, port, name: terminalSettingsNow().ports[port].name, settings });
      }
    });
    const endNames = onTerminalSettingsChange(({ ports }) => {
      for (const [port, board] of known) {
        if (ports[port].name !== board.name) {
          remember({ ...board, name: ports[port].name });
        }
      }
    });
    return () => {
      end();
      endNames();
    };
  }, []);
}

/**
 * Pairs each place with a stored board of the same USB ids, or null. Identical boards are assigned in the stored
 * order.
 */
export function offersOf(
  places: readonly PortPlace[],
  boards: readonly RememberedBoard[],
): readonly { readonly place: PortPlace; readonly board: RememberedBoard | null }[] {
  const left = [...boards];
  return places.map((place) => {
    const index = left.findIndex(({ info }) => sameInfo(info, place.info));
    const [board = null] = index < 0 ? [] : left.splice(index, 1);
    return { place, board };
  });
}

/**
 * One button for each board that is plugged in and permitted.
 *
 * @param port Port for boards that are not stored.
 */
export function RememberedBoards({ port }: { readonly port: PortNumber }) {
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const current = useTerminalSettings((settings) => settings);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      const found = await permittedPlaces();
      if (wanted) {
        setPlaces(found);
      }
    };
    void look();
    const end = watchPortChanges(() => void look());
    return () => {
      wanted = false;
      end();
    };
  }, []);
  if (places.length === 0) {
    return null;
  }
  return (
    <ul className={styles['boards']} aria-label="Boards used before">
      {boardOffers(places, port, current).map((offer) => (
        <li key={offer.place.index}>
          <Button icon={<Cable />} onClick={() => connectBoard(offer)}>
            Connect {offer.label}
          </Button>
          <span className={styles['small']}>
            {deviceName(offer.place.info)} at {describePortSettings(offer.settings)}, port {offer.port}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface BoardOffer {
  readonly place: PortPlace;
  readonly board: RememberedBoard | null;
  /** Port that the board would open. */
  readonly port: PortNumber;
  readonly settings: PortSettings;
  /** Name of the board: its port's name, or the device's. */
  readonly label: string;
}

/** Returns the offers for `places`. `port` is used for boards that are not stored. */
export function boardOffers(
  places: readonly PortPlace[],
  port: PortNumber,
  current: Pick<TerminalSettings, 'ports'>,
): readonly BoardOffer[] {
  return offersOf(places, readBoards(browserStorage.getItem(storageKey))).map(({ place, board }) => {
    const target = board?.port ?? port;
    const device = deviceName(place.info);
    const name = board?.name.trim() || (board === null ? device : portName(current, target));
    return {
      place,
      board,
      port: target,
      settings: board?.settings ?? current.ports[target].settings,
      label: name === `Port ${target}` ? device : name,
    };
  });
}

/** Connects a board, and copies its stored settings and name into the port's settings. */
export function connectBoard({ place, board, port, settings }: BoardOffer): void {
  if (board !== null) {
    changePortSettings(port, settings);
    if (board.name.trim() !== '') {
      changePort(port, { name: board.name });
    }
  }
  void connectSource(port, { kind: 'serial', place }, settings);
}
