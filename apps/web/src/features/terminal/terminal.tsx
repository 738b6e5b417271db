/** Layout of the terminal: panes side by side on a wide screen, one at a time on a phone. */
import type { PortNumber } from '@wirebench/serial';
import { Cable, Pin, SquareTerminal } from 'lucide-react';
import { type ReactNode, use, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { media } from '../../shared/styles/media.ts';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { useToastPlace } from '../../shared/ui/use-toast-place.ts';
import { NoticeRegion } from '../../workbench/console/notice-region.tsx';
import { PaneNavigation } from '../../workbench/pane-navigation.tsx';
import { ShareBarSlot } from '../../workbench/sharing/share-bar-slot.tsx';
import { ShareDockPlace } from '../../workbench/sharing/share-dock-place.tsx';
import { showShareDialog, useSharing } from '../../workbench/sharing/sharing-store.ts';
import { ConsolePane } from './console/console-pane.tsx';
import { findRecordings } from './console/recordings.ts';
import { panelsButtonId } from './console/toolbar.tsx';
import { Drawer } from './drawer.tsx';
import { layoutStorage } from './layout-storage.ts';
import { PanelsPane } from './panels/panels-pane.tsx';
import { setPanelsDrawer, usePanelsSession } from './panels/store/panels-session.ts';
import { QuickGuideDrawer } from './quick-guide/quick-guide.tsx';
import { useQuickGuide } from './quick-guide/quick-guide-store.ts';
import { useQuickGuideKey } from './quick-guide/use-quick-guide-key.ts';
import { useRememberBoards } from './remembered-boards.tsx';
import separatorStyles from './separator.module.css';
import { PortPane, type PortPaneProps } from './settings/port-pane.tsx';
import { changeSettings, useTerminalSettings } from './settings/settings-store.ts';
import { useBufferSize } from './settings/use-buffer-size.ts';
import { useFramings } from './settings/use-framings.ts';
import { useReconnects } from './settings/use-reconnects.ts';
import { useSharedNames } from './settings/use-shared-names.ts';
import { PortStrip } from './strip/port-strip.tsx';
import styles from './terminal.module.css';
import { type TerminalSession, terminalSession, useTerminalSession } from './terminal-session.ts';
import { TerminalSlotsContext } from './terminal-slots.ts';
import { StatusLine } from './terminal-status-line.tsx';
import { SendCrashPlace } from './tools/crash/send/send-crash-place.tsx';

export function Terminal() {
  const onPhone = useMediaQuery(media.phone);
  const { banner, statusLine } = use(TerminalSlotsContext);
  const Status = statusLine ?? StatusLine;
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  useBufferSize();
  useFramings();
  useReconnects();
  useRememberBoards();
  useSharedNames();
  useEffect(() => {
    void findRecordings();
  }, []);
  return (
    <div ref={root} className={styles['terminal']}>
      <h1 className="visually-hidden">Serial terminal</h1>
      <PortStrip />
      <div className={styles['banner']}>{banner ?? <ShareBarSlot />}</div>
      {onPhone ? <PhonePanes /> : <WidePanes />}
      {onPhone ? <PhoneNavigation /> : <Status />}
      <NoticeRegion />
      <SendCrashPlace />
    </div>
  );
}

/** The settings of a port, or the page's replacement. */
function Settings(props: PortPaneProps) {
  const Pane = use(TerminalSlotsContext).pane ?? PortPane;
  return <Pane {...props} />;
}

function WidePanes() {
  const wide = useMediaQuery('(min-width: 1181px)');
  const port = useTerminalSession((session) => session.selectedPort);
  const drawerOpen = useTerminalSession((session) => session.drawerOpen);
  const paneOpen = useTerminalSettings((settings) => settings.paneOpen);
  const beside = wide && paneOpen;
  const panelsFit = useMediaQuery('(min-width: 901px)');
  const panelsOpen = useTerminalSettings((settings) => settings.panelsOpen);
  // The docked dialog has the place of the panels, so that the log keeps its width.
  const shareOpen = useSharing(({ dialog }) => dialog !== null);
  const isGuest = use(TerminalSlotsContext).banner !== null;
  const panelsBeside = panelsFit && panelsOpen && !shareOpen;
  const panelsDrawer = usePanelsSession((session) => session.drawerOpen) && !panelsFit;
  const guide = useQuickGuide();
  const remembered = useDefaultLayout({
    id: 'wirebench.terminal-panes',
    storage: layoutStorage,
    panelIds: panelIds(beside, panelsBeside),
  });
  const onSettings = () => {
    setPanelsDrawer(false);
    if (wide) {
      changeSettings({ paneOpen: true });
    } else {
      terminalSession.setState({ drawerOpen: panelsDrawer || !drawerOpen });
    }
  };
  const onPanels = () => {
    showShareDialog(null);
    if (panelsFit) {
      changeSettings({ panelsOpen: true });
      return;
    }
    terminalSession.setState({ drawerOpen: false });
    setPanelsDrawer(!panelsDrawer);
  };
  useQuickGuideKey();
  return (
    <div className={styles['panes']}>
      <Group
        orientation="horizontal"
        {...(remembered.defaultLayout && { defaultLayout: remembered.defaultLayout })}
        onLayoutChanged={remembered.onLayoutChanged}
      >
        {beside ? (
          <>
            <Panel
              key="settings"
              id="settings"
              defaultSize={216}
              minSize={200}
              maxSize={360}
              groupResizeBehavior="preserve-pixel-size"
            >
              <Settings port={port} onFold={() => changeSettings({ paneOpen: false })} />
            </Panel>
            <Separator key="separator" className={separatorStyles['separator']} aria-label="Width of the settings" />
          </>
        ) : null}
        <Panel key="console" id="console" minSize={480}>
          <ConsolePane
            onSettings={beside ? null : onSettings}
            settingsShown={!wide && drawerOpen}
            onPanels={panelsBeside ? null : onPanels}
            panelsShown={panelsDrawer}
            drawer={
              <>
                {!wide && drawerOpen ? (
                  <Drawer label="Port settings" place="settings" onClose={closeSettings}>
                    <Settings port={port} onClose={closeSettings} />
                  </Drawer>
                ) : null}
                {guide ? <QuickGuideDrawer /> : null}
                {panelsDrawer ? (
                  <Drawer label="Device panels" place="panels" onClose={closePanels}>
                    <PanelsPane onClose={closePanels} />
                  </Drawer>
                ) : null}
              </>
            }
          />
        </Panel>
        {panelsBeside ? (
          <>
            <Separator
              key="panels-separator"
              className={separatorStyles['separator']}
              aria-label="Width of the device panels"
            />
            <Panel
              key="panels"
              id="panels"
              defaultSize={352}
              minSize={280}
              maxSize={520}
              groupResizeBehavior="preserve-pixel-size"
            >
              <PanelsPane onClose={foldPanels} />
            </Panel>
          </>
        ) : null}
      </Group>
      {isGuest ? null : <ShareDockPlace className={styles['share']} />}
    </div>
  );
}

const closeSettings = () => terminalSession.setState({ drawerOpen: false });

const closePanels = () => setPanelsDrawer(false);

/** Hides the panels and focuses the button that shows them again. */
function foldPanels(): void {
  changeSettings({ panelsOpen: false });
  requestAnimationFrame(() => document.getElementById(panelsButtonId)?.focus());
}

const panelIds = (settings: boolean, panels: boolean) => [
  ...(settings ? ['settings'] : []),
  'console',
  ...(panels ? ['panels'] : []),
];

function PhonePanes() {
  const port = useTerminalSession((session) => session.selectedPort);
  const pane = useTerminalSession((session) => session.pane);
  return <div className={styles['panes']}>{phonePane(pane, port)}</div>;
}

/** Container of a part that is shown alone. Toasts appear at its bottom. */
function Alone({ children }: { readonly children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  useToastPlace(area);
  return (
    <div ref={area} className={styles['alone']}>
      {children}
    </div>
  );
}

function phonePane(pane: TerminalSession['pane'], port: PortNumber): ReactNode {
  switch (pane) {
    case 'console':
      return <ConsolePane onSettings={null} onPanels={null} />;
    case 'panels':
      return (
        <Alone key={pane}>
          <PanelsPane alone />
        </Alone>
      );
    case 'port':
      return (
        <Alone key={pane}>
          <Settings port={port} alone />
        </Alone>
      );
  }
}

function PhoneNavigation() {
  const port = useTerminalSession((session) => session.selectedPort);
  const shown = useTerminalSession(({ pane }) => pane);
  return (
    <PaneNavigation
      label="Terminal"
      className={styles['navigation']}
      panes={[
        { pane: 'console', label: 'Console', icon: <SquareTerminal /> },
        { pane: 'panels', label: 'Panels', icon: <Pin /> },
        { pane: 'port', label: `Port ${port}`, icon: <Cable /> },
      ]}
      shown={shown}
      onShow={(pane) => terminalSession.setState({ pane })}
    />
  );
}
