/** Layout of the terminal: the port strip, then the console with the settings beside or over it. */
import type { PortNumber } from '@wirebench/serial';
import { use, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { toggleQuickGuide, useQuickGuide, useQuickGuideOffer } from '../../shared/quick-guide.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { NoticeRegion } from '../../workbench/console/notice-region.tsx';
import { takeBoardFilesPort } from '../../workbench/flasher-boards.ts';
import { onConnected } from '../../workbench/port-picker/connect-port.ts';
import { ShareBarSlot } from '../../workbench/sharing/share-bar-slot.tsx';
import { ShareDockPlace } from '../../workbench/sharing/share-dock-place.tsx';
import { ConsolePane } from './console/console-pane.tsx';
import { findRecordings } from './console/recordings.ts';
import { Drawer } from './drawer.tsx';
import { layoutStorage } from './layout-storage.ts';
import { useQuickGuideKey } from './quick-guide/use-quick-guide-key.ts';
import { useRememberBoards } from './remembered-boards.tsx';
import separatorStyles from './separator.module.css';
import { PortPane } from './settings/port-pane.tsx';
import { changeSettings, terminalSettingsNow, useTerminalSettings } from './settings/settings-store.ts';
import { useBufferSize } from './settings/use-buffer-size.ts';
import { usePortSettings } from './settings/use-port-settings.ts';
import { useSharedNames } from './settings/use-shared-names.ts';
import { PortStrip } from './strip/port-strip.tsx';
import { settingsButtonId } from './strip/settings-button.tsx';
import styles from './terminal.module.css';
import { changeTerminalSession, terminalSessionNow, useTerminalSession } from './terminal-session.ts';
import { type PortPaneProps, TerminalSlotsContext } from './terminal-slots.ts';
import { SendCrashPlace } from './tools/crash/send/send-crash-place.tsx';
import { showTool } from './tools/open-tool.ts';
import { watchRules } from './tools/rules/watch-rules.ts';

export function Terminal() {
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  useBufferSize();
  usePortSettings();
  useRememberBoards();
  useSharedNames();
  useQuickGuideOffer();
  useQuickGuideKey();
  useEffect(() => watchRules(isReadOnly), [isReadOnly]);
  useEffect(() => {
    const port = takeBoardFilesPort();
    if (port !== null) {
      changeTerminalSession({ selectedPort: port });
      showTool('board-files');
    }
  }, []);
  useEffect(() => onConnected((port) => changeTerminalSession({ selectedPort: port })), []);
  useEffect(() => {
    void findRecordings();
  }, []);
  const wide = useMediaQuery('(min-width: 1181px)');
  const settingsPinned = useTerminalSettings((settings) => settings.settingsPinned) && wide;
  const settingsOpen = useTerminalSession((session) => session.settingsOpen) && !settingsPinned;
  return (
    <div ref={root} className={styles['terminal']}>
      <h1 className="visually-hidden">Serial terminal</h1>
      <PortStrip settingsShown={settingsPinned || settingsOpen} onSettings={(port) => toggleSettings(port, wide)} />
      <div className={styles['banner']}>{banner ?? <ShareBarSlot />}</div>
      <Panes settings={settingsPinned ? 'column' : settingsOpen ? 'overlay' : 'none'} canPin={wide} />
      <NoticeRegion />
      <SendCrashPlace />
    </div>
  );
}

/** Opens the settings of a port, or closes them if they are open. */
function toggleSettings(port: PortNumber, wide: boolean): void {
  const { selectedPort, settingsOpen } = terminalSessionNow();
  const isPinned = wide && terminalSettingsNow().settingsPinned;
  if (selectedPort !== port) {
    changeTerminalSession({ selectedPort: port, settingsOpen: true });
  } else if (isPinned) {
    changeSettings({ settingsPinned: false });
  } else {
    changeTerminalSession({ settingsOpen: !settingsOpen });
  }
}

/** The settings of a port, or the page's replacement. */
function Settings(props: PortPaneProps) {
  const Pane = use(TerminalSlotsContext).pane ?? PortPane;
  return <Pane {...props} />;
}

interface PanesProps {
  readonly settings: 'column' | 'overlay' | 'none';
  /** True: there is room for the settings as a column. */
  readonly canPin: boolean;
}

const loadGuide = () => import('./quick-guide/quick-guide.tsx');

function Panes({ settings, canPin }: PanesProps) {
  const port = useTerminalSession((session) => session.selectedPort);
  const isGuideOpen = useQuickGuide();
  const guide = useLoaded(isGuideOpen, loadGuide, toggleQuickGuide);
  const isGuest = use(TerminalSlotsContext).banner !== null;
  const settingsBeside = settings === 'column';
  const remembered = useDefaultLayout({
    id: 'wirebench.terminal-columns',
    storage: layoutStorage,
    panelIds: [...(settingsBeside ? ['settings'] : []), 'console'],
  });
  return (
    <div className={styles['panes']}>
      <Group
        orientation="horizontal"
        {...(remembered.defaultLayout && { defaultLayout: remembered.defaultLayout })}
        onLayoutChanged={remembered.onLayoutChanged}
      >
        {settingsBeside ? (
          <>
            <Panel
              key="settings"
              id="settings"
              defaultSize={232}
              minSize={216}
              maxSize={360}
              groupResizeBehavior="preserve-pixel-size"
            >
              <Settings port={port} onFold={unpinSettings} />
            </Panel>
            <Separator key="separator" className={separatorStyles['separator']} aria-label="Width of the settings" />
          </>
        ) : null}
        <Panel key="console" id="console" minSize={0}>
          <ConsolePane drawer={isGuideOpen && guide !== null ? <guide.QuickGuideDrawer /> : null} />
        </Panel>
      </Group>
      {isGuest ? null : <ShareDockPlace className={styles['share']} />}
      {settings === 'overlay' ? (
        <Drawer label={`Port ${port} settings`} place="settings" onClose={closeSettings}>
          <Settings key={port} port={port} onClose={closeSettings} {...(canPin && { onPin: pinSettings })} />
        </Drawer>
      ) : null}
    </div>
  );
}

const closeSettings = () => changeTerminalSession({ settingsOpen: false });

function pinSettings(): void {
  closeSettings();
  changeSettings({ settingsPinned: true });
}

/** Folds the column into the tab, and focuses the button that opens the settings again. */
function unpinSettings(): void {
  closeSettings();
  changeSettings({ settingsPinned: false });
  focusLater(settingsButtonId(terminalSessionNow().selectedPort));
}

const focusLater = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus());
