/** Toolbar of the console. In a narrow console, some controls move behind the More button. */
import { ArrowDownToLine, Ellipsis, Eraser, Pin, Settings2 } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { clearLog } from '../../../workbench/console/clear-log.ts';
import { FindField, type FindFieldProps } from '../../../workbench/console/find/find-field.tsx';
import { ShareButton } from '../../../workbench/sharing/share-button.tsx';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { changeScreen, useScreenSettings } from '../screen/screen-settings.ts';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { terminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { ToolsMenu } from '../tools/tools-menu.tsx';
import { PortsMenu } from './ports-menu.tsx';
import styles from './toolbar.module.css';
import { ExportMenu, OptionsMenu, RecordButton, TimeMenu } from './toolbar-menus.tsx';

export const panelsButtonId = 'show-device-panels';

export interface ToolbarProps {
  readonly following: boolean;
  readonly onFollow: (follow: boolean) => void;
  /** Shows the port settings in a drawer. Null if they are docked beside the console. */
  readonly onSettings: (() => void) | null;
  readonly settingsShown: boolean;
  /** Shows the device panels in a drawer. Null if they are docked beside the console. */
  readonly onPanels: (() => void) | null;
  readonly panelsShown: boolean;
  readonly find: FindFieldProps;
}

export function Toolbar({ following, onFollow, onSettings, settingsShown, onPanels, panelsShown, find }: ToolbarProps) {
  const layout = useTerminalSettings((settings) => settings.layout);
  const onScreen = useScreenSettings((settings) => settings.isShown);
  const more = useTerminalSession((session) => session.moreTools);
  // Guests cannot share the host's bench.
  const isGuest = use(TerminalSlotsContext).banner !== null;
  const sharing = useSharing(({ dialog }) => dialog === 'toolbar');
  useEffect(() => {
    if (sharing) {
      // The dialog is anchored at its button and returns the focus to it. Keep the button visible even if the window
      // gets narrower.
      terminalSession.setState({ moreTools: true });
    }
  }, [sharing]);
  const main = useRef<HTMLDivElement>(null);
  const rest = useRef<HTMLDivElement>(null);
  const walkMain = useRovingFocus(main);
  const walkRest = useRovingFocus(rest);
  return (
    <div className={styles['frame']}>
      <div className={styles['toolbar']} data-more={more || undefined}>
        {onSettings === null ? null : (
          <IconButton
            label="Port settings"
            size="sm"
            icon={<Settings2 />}
            aria-expanded={settingsShown}
            onClick={onSettings}
          />
        )}
        <div className={styles['display']}>
          <Segmented
            label="Display"
            value={onScreen ? 'screen' : layout}
            options={[
              { value: 'text', label: 'Text' },
              { value: 'hex', label: 'Hex' },
              { value: 'screen', label: 'Screen' },
            ]}
            onChange={(chosen) => {
              changeScreen({ isShown: chosen === 'screen' });
              if (chosen !== 'screen') {
                changeSettings({ layout: chosen });
              }
            }}
          />
        </div>
        <FindField {...find} />
        <div ref={main} role="toolbar" aria-label="Console" className={styles['main']} onKeyDown={walkMain}>
          <ToolsMenu />
          <Button
            size="sm"
            icon={<ArrowDownToLine />}
            pressed={following}
            aria-label="Follow"
            aria-keyshortcuts="Shift+A"
            onClick={() => onFollow(!following)}
          >
            <span className={styles['word']}>Follow</span>
          </Button>
          <IconButton
            label="Clear"
            shortcut="Shift+C"
            variant="quiet"
            size="sm"
            icon={<Eraser />}
            onClick={() => void clearLog()}
          />
          {onPanels === null ? null : (
            <IconButton
              id={panelsButtonId}
              label="Device panels"
              variant="quiet"
              size="sm"
              icon={<Pin />}
              aria-expanded={panelsShown}
              onClick={onPanels}
            />
          )}
          <span className={styles['moreButton']}>
            <IconButton
              label="More"
              variant="quiet"
              size="sm"
              icon={<Ellipsis />}
              aria-expanded={more}
              onClick={() => terminalSession.setState({ moreTools: !more })}
            />
          </span>
        </div>
        <div
          ref={rest}
          role="toolbar"
          aria-label="More console actions"
          className={styles['rest']}
          onKeyDown={walkRest}
        >
          <PortsMenu />
          <TimeMenu />
          <RecordButton />
          <ExportMenu />
          <OptionsMenu />
          {isGuest ? null : (
            <ShareButton place="toolbar" side="right">
              <span className={styles['longWord']}>Share</span>
            </ShareButton>
          )}
        </div>
      </div>
    </div>
  );
}
