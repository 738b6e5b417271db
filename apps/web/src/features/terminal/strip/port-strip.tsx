/**
 * Strip of the four ports. A port in use, and the selected one, is a wide tab with buttons over its corner. Each other
 * port is a slim tab that opens the browser's dialog.
 */
import { Tabs } from '@base-ui/react/tabs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Pin, Plus } from 'lucide-react';
import { use, useRef } from 'react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { media } from '../../../shared/styles/media.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasherBoards } from '../../../workbench/flasher-boards.ts';
import { anyPortOpen, isInUse } from '../open-ports-of.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { FreePortsMenu } from './free-ports-menu.tsx';
import { PortAction } from './port-action.tsx';
import styles from './port-strip.module.css';
import { PortTab } from './port-tab.tsx';
import { SettingsButton } from './settings-button.tsx';
import { stripColumns } from './strip-columns.ts';

export interface PortStripProps {
  /** True: the settings of the selected port are visible. */
  readonly settingsShown: boolean;
  readonly onSettings: (port: PortNumber) => void;
  /** Shows or hides the device panels. Null: the layout has another button for them. */
  readonly onPanels: (() => void) | null;
  readonly panelsShown: boolean;
}

export const panelsButtonId = 'show-device-panels';

export function PortStrip({ settingsShown, onSettings, onPanels, panelsShown }: PortStripProps) {
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
  const { template, columnOf, labelColumn, menuColumn } = stripColumns(wide, selected, isSmall);
  return (
    <Tabs.Root
      className={classNames(styles['strip'], onPanels !== null && styles['withPanels'])}
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
      {firstFree === undefined || isGuest ? null : (
        <span className={styles['label']} style={{ gridColumn: labelColumn }} aria-hidden="true">
          <Plus />
          Add port
        </span>
      )}
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
        {firstFree === undefined || isGuest || serialSupport() !== 'ready' ? null : (
          <span className={styles['menu']} style={{ gridColumn: menuColumn }}>
            <FreePortsMenu port={firstFree} />
          </span>
        )}
      </div>
      {onPanels === null ? null : (
        <span className={styles['panels']}>
          <IconButton
            id={panelsButtonId}
            label="Device panels"
            variant="quiet"
            size="sm"
            icon={<Pin />}
            aria-expanded={panelsShown}
            onClick={onPanels}
          />
        </span>
      )}
    </Tabs.Root>
  );
}
