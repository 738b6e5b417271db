/**
 * Strip of the four ports in the order of their numbers. A port in use, and the selected one, is a wide tab with buttons
 * over its corner. Each other port is a narrow tab that opens the browser's dialog.
 */
import { Tabs } from '@base-ui/react/tabs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Cable, ChevronDown, FlaskConical, Plug, SlidersHorizontal } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { type PortPlace, permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasherBoards } from '../../../workbench/flasher-boards.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { anyPortOpen, isInUse } from '../open-ports-of.ts';
import { boardOffers, connectBoard } from '../remembered-boards.tsx';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { PortAction } from './port-action.tsx';
import styles from './port-strip.module.css';
import { PortTab } from './port-tab.tsx';
import { SettingsButton } from './settings-button.tsx';

export interface PortStripProps {
  /** True: the settings of the selected port are visible. */
  readonly settingsShown: boolean;
  readonly onSettings: (port: PortNumber) => void;
}

/** Columns of the port strip: the tabs in the order of their numbers, then the menu. */

interface StripColumns {
  /** Value of `grid-template-columns`. */
  readonly template: string;
  /** Column of a port's tab, from 1. */
  readonly columnOf: (port: PortNumber) => number;
  readonly menuColumn: number;
}

/**
 * Returns the columns of the strip. A tab keeps its place in the row whatever is selected or open.
 *
 * @param wide Ports with a wide tab, ascending.
 * @param free Ports with a narrow tab.
 * @param isSmall True: flags and names of the ports that are not selected are one above the other.
 */
export function stripColumns(
  wide: readonly PortNumber[],
  free: readonly PortNumber[],
  selected: PortNumber,
  isSmall: boolean,
): StripColumns {
  const shown = portNumbers.filter((port) => wide.includes(port) || free.includes(port));
  const widthOf = (port: PortNumber) => {
    if (isSmall) {
      return port === selected ? 'minmax(112px, 176px)' : 'minmax(40px, 64px)';
    }
    if (free.includes(port)) {
      return 'fit-content(136px)';
    }
    // Four wide tabs share the whole strip.
    return free.length === 0 ? 'minmax(0, 1fr)' : 'minmax(0, 392px)';
  };
  const rest = free.length === 0 ? [] : ['minmax(auto, 1fr)'];
  return {
    template: [...shown.map(widthOf), ...rest].join(' '),
    columnOf: (port) => shown.indexOf(port) + 1,
    menuColumn: shown.length + 1,
  };
}

interface FreePortsMenuProps {
  /** Port that the items connect. */
  readonly port: PortNumber;
  /** Ports that are not in use and not selected: their tabs have no button for the settings. */
  readonly free: readonly PortNumber[];
  readonly onSettings: (port: PortNumber) => void;
}

/** Menu with other ways to connect: boards used before, and the demo device. It opens the settings of the free ports. */
function FreePortsMenu({ port, free, onSettings }: FreePortsMenuProps) {
  const current = useTerminalSettings((settings) => settings);
  const { settings } = current.ports[port];
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const look = async () => setPlaces(await permittedPlaces());
  const picking: MenuAction = {
    label: 'Choose a port…',
    icon: <Plug />,
    movesFocus: true,
    onSelect: () => void connectPicked(port, settings),
  };
  const boards: MenuAction[] = boardOffers(places, port, current).map((offer) => ({
    label: `${offer.label}, port ${offer.port}`,
    icon: <Cable />,
    movesFocus: true,
    onSelect: () => connectBoard(offer),
  }));
  return (
    <Menu
      align="end"
      items={[
        ...(serialSupport() === 'ready' ? [picking, ...boards, 'separator' as const] : []),
        {
          label: 'Demo board',
          icon: <FlaskConical />,
          movesFocus: true,
          onSelect: () => void connectSource(port, { kind: 'demo' }, settings),
        },
        'separator',
        ...free.map((other) => ({
          label: `Settings of ${portName(current, other)}…`,
          icon: <SlidersHorizontal />,
          movesFocus: true,
          onSelect: () => onSettings(other),
        })),
      ]}
      trigger={(props) => (
        <Button
          {...props}
          variant="quiet"
          size="sm"
          icon={<ChevronDown />}
          aria-label={`Other ways to connect port ${port}`}
          onClick={() => {
            void look();
            props.onClick();
          }}
        />
      )}
    />
  );
}

export function PortStrip({ settingsShown, onSettings }: PortStripProps) {
  const selected = useTerminalSession((session) => session.selectedPort);
  const used = useBenchStatus((view) => portNumbers.filter((port) => isInUse(view, port)).join());
  const flashers = useFlasherBoards();
  const empty = useBenchStatus((view) => view.status.lines === 0 && !anyPortOpen(view));
  const isSmall = useMediaQuery(`${media.phone}, ${media.low}`);
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const isGuest = banner !== null;
  const actions = useRef<HTMLDivElement>(null);
  const walkActions = useRovingFocus(actions);
  const wide = portNumbers.filter(
    (port) => port === selected || used.includes(String(port)) || flashers[port] !== null,
  );
  // Opened logs have no ports beside them that could be connected.
  const free = isReadOnly ? [] : portNumbers.filter((port) => !wide.includes(port));
  const [firstFree] = free;
  const { template, columnOf, menuColumn } = stripColumns(wide, free, selected, isSmall);
  return (
    <Tabs.Root
      className={styles['strip']}
      data-full={free.length === 0 || undefined}
      style={{ gridTemplateColumns: template }}
      value={selected}
      onValueChange={(port: PortNumber) => changeTerminalSession({ selectedPort: port })}
    >
      <Tabs.List activateOnFocus aria-label="Ports" className={styles['tabs']}>
        {[...wide, ...free].toSorted().map((port) => (
          <PortTab
            key={port}
            port={port}
            column={columnOf(port)}
            selected={port === selected}
            free={!wide.includes(port)}
            canConnect={!isGuest}
            onSettings={() => onSettings(port)}
          />
        ))}
      </Tabs.List>
      <div ref={actions} role="toolbar" aria-label="Connections" className={styles['actions']} onKeyDown={walkActions}>
        {wide
          .filter((port) => !isSmall || port === selected)
          .map((port) => (
            <div key={port} className={styles['action']} style={{ gridColumn: columnOf(port) }} data-port={port}>
              <SettingsButton
                port={port}
                expanded={settingsShown && port === selected}
                onPress={() => onSettings(port)}
              />
              {/* The empty terminal has the button in its middle. */}
              {empty ? null : (
                <span className={styles['connection']}>
                  <PortAction port={port} size="sm" />
                </span>
              )}
            </div>
          ))}
        {firstFree === undefined || isGuest ? null : (
          <span className={styles['menu']} style={{ gridColumn: menuColumn }}>
            <FreePortsMenu port={firstFree} free={free} onSettings={onSettings} />
          </span>
        )}
      </div>
    </Tabs.Root>
  );
}
