/** The console: toolbar, log or empty state, docked strips, and send bar. */
import type { PortNumber } from '@wirebench/serial';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal, flushSync } from 'react-dom';
import { type SerialSupport, serialSupport } from '../../../hardware/serial-support.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FindFailure } from '../../../workbench/console/find/find-field.tsx';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { UsedPortStrips } from '../../../workbench/sharing/used-port.tsx';
import { Drawer } from '../drawer.tsx';
import { InsecureContext } from '../failures/insecure-context.tsx';
import { NoPortOpen } from '../no-port-open.tsx';
import { anyPortOpen } from '../open-ports-of.ts';
import { useCursorIsLow, useScreenSettings } from '../screen/screen-settings.ts';
import { ScreenKeys } from '../screen/screen-slot.tsx';
import { useScreenKey } from '../screen/use-screen-key.ts';
import { SendBar } from '../send/send-bar.tsx';
import { SendStripsPlace } from '../send/send-strips.tsx';
import { tabId } from '../strip/port-tab.tsx';
import { changeTerminalSession, terminalSessionNow, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { ConsoleDock } from '../tools/console-dock.tsx';
import { showTool } from '../tools/open-tool.ts';
import { DockColumns, foldDock, ToolDock, ToolHostPlace, useDockPlace, useToolHost } from '../tools/tool-dock.tsx';
import { useShortcuts } from '../use-shortcuts.ts';
import { LogArea, useLogNames } from './console-logs.tsx';
import styles from './console-pane.module.css';
import { FullStrip } from './full-strip.tsx';
import { InspectorStrip } from './inspector-strip.tsx';
import { RecordingStrips } from './recording-strip.tsx';
import { ScreenAndLog, useLogAtScreen } from './screen-and-log.tsx';
import { SelectionStrip } from './selection-strip.tsx';
import { Tail } from './tail.tsx';
import { Toolbar } from './toolbar.tsx';
import { useConsoleLogs } from './use-console-logs.ts';
import { WaitingStrips } from './waiting-strip.tsx';

const loadUnsupported = async () => (await import('../unsupported-browser.tsx')).UnsupportedBrowser;

function UnsupportedBrowser({ port }: { readonly port: PortNumber }) {
  const State = useLoaded(true, loadUnsupported, () => undefined);
  return State && <State port={port} />;
}

const emptyStates = {
  ready: NoPortOpen,
  unsupported: UnsupportedBrowser,
  'insecure-context': InsecureContext,
} satisfies Record<SerialSupport, unknown>;

export interface ConsolePaneProps {
  /** Overlays the log only. */
  readonly drawer?: ReactNode;
}

export function ConsolePane({ drawer = null }: ConsolePaneProps) {
  const logs = useConsoleLogs();
  const names = useLogNames();
  const empty = useBenchStatus((view) => view.status.lines === 0 && !anyPortOpen(view));
  const dropped = useBenchStatus(({ status }) => status.droppedLines > 0);
  const { isReadOnly } = use(TerminalSlotsContext);
  const onScreen = useScreenSettings((settings) => settings.isShown) && !empty && !isReadOnly;
  const logAtScreen = useLogAtScreen(names);
  const hasLog = !onScreen || logAtScreen !== null;
  const place = useRef<HTMLDivElement>(null);
  const dockPlace = useDockPlace(place);
  // There is never a second column: a dialog beside the log hides the dock, which keeps its state.
  const isSharing = useSharing(({ dialog }) => dialog !== null);
  const toolPlace = isSharing ? null : dockPlace;
  const tools = useToolHost();
  // Panes of several ports keep their own lines at their lower edges in sight.
  const isOver = !empty && (onScreen || names[0] === 'all');
  const cursorIsLow = useCursorIsLow() && onScreen;
  const strips = useRef<HTMLDivElement>(null);
  const stripsHeight = useHeight(strips);
  const [sendStrips, setSendStrips] = useState<HTMLElement | null>(null);
  const covered = isOver && !cursorIsLow ? stripsHeight : 0;
  const field = useRef<HTMLInputElement>(null);
  const find = () => {
    const { current } = field;
    if (current !== null && !(current.checkVisibility?.() ?? true)) {
      // The field is in the second row of the toolbar.
      flushSync(() => changeTerminalSession({ moreTools: true }));
    }
    current?.focus();
    current?.select();
  };
  /** Handles Escape in a field: focuses the log, or the port's tab if there is no log. */
  const leave = () => {
    if (!logs.focus()) {
      document.getElementById(tabId(terminalSessionNow().selectedPort))?.focus();
    }
  };
  useScreenKey(!empty);
  useShortcuts(
    () => logs.followAll(!logs.following),
    find,
    (direction) => void logs.stepMark(direction),
    isReadOnly,
  );
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && toolPlace === 'half') {
      // The rows of the toolbar that Find has opened would cover the plot.
      changeTerminalSession({ moreTools: false });
    }
    const isPlain = !event.shiftKey && !event.altKey && !event.defaultPrevented;
    if ((event.ctrlKey || event.metaKey) && isPlain && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      find();
    }
  };
  const inLog = (show: () => void) => {
    if (toolPlace !== 'sheet') {
      show();
      return;
    }
    showTool(null);
    // The log regains its height in the next frame.
    requestAnimationFrame(show);
  };
  const showTime = (at: number) => inLog(() => void logs.showTime(at));
  const showFound = () => inLog(() => (toolPlace === 'sheet' ? logs.focus() : undefined));
  const dock = <ToolHostPlace host={tools} />;
  const main = (
    <div
      className={classNames(
        styles['pane'],
        toolPlace === 'half' && styles['withTool'],
        toolPlace === 'sheet' && styles['covered'],
      )}
    >
      <div className={styles['top']}>
        <Toolbar
          empty={empty}
          onEnd={() => logs.followAll(true)}
          onFind={find}
          onScreen={onScreen}
          find={{
            field,
            onStep: (direction) => void logs.step(direction),
            onLeave: leave,
          }}
        />
        {onScreen ? null : <FindFailure />}
      </div>
      {toolPlace === 'half' || toolPlace === 'sheet' ? dock : null}
      <div
        className={styles['body']}
        style={{ '--strips': cursorIsLow ? '0px' : `${stripsHeight}px` } as CSSProperties}
      >
        {empty ? (
          <EmptyState />
        ) : onScreen ? (
          <ScreenAndLog logs={logs} names={names} log={logAtScreen} covered={covered} />
        ) : (
          <LogArea logs={logs} names={names} covered={covered} />
        )}
        <div
          ref={strips}
          className={styles['strips']}
          data-over={isOver ? (cursorIsLow ? 'top' : 'bottom') : undefined}
        >
          <ConsoleDock />
          <WaitingStrips />
          <UsedPortStrips />
          <RecordingStrips />
          <ExportStrip />
          {dropped ? <FullStrip /> : null}
          {empty || !hasLog || names[0] !== 'all' ? null : (
            <>
              <InspectorStrip logs={logs} name="all" />
              <SelectionStrip logs={logs} name="all" />
            </>
          )}
          <div ref={setSendStrips} />
        </div>
        {drawer}
        {toolPlace === 'drawer' ? (
          <Drawer label="Panels and tools" place="tool" onClose={foldDock}>
            {dock}
          </Drawer>
        ) : null}
      </div>
      <div className={styles['tail']}>
        <Tail
          empty={empty || !hasLog}
          split={names[0] !== 'all'}
          pausedAt={logs.pausedAt('all')}
          onFollow={logs.followAll}
        />
      </div>
      {isReadOnly ? (
        <p className={styles['readOnly']}>An opened log: nothing can be sent.</p>
      ) : (
        <SendStripsPlace value={sendStrips}>{onScreen ? <ScreenKeys /> : <SendBar onLeave={leave} />}</SendStripsPlace>
      )}
    </div>
  );
  return (
    <section ref={place} className={styles['place']} aria-label="Console" onKeyDown={pressed}>
      <DockColumns console={place} dock={toolPlace === 'beside' ? dock : null}>
        {main}
      </DockColumns>
      {dockPlace === null
        ? null
        : createPortal(<ToolDock place={dockPlace} onLeave={leave} onShowTime={showTime} onFound={showFound} />, tools)}
    </section>
  );
}

/** Returns the height of an element, in px. */
function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) {
      return;
    }
    const observer = new ResizeObserver(() => setHeight(current.offsetHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

function EmptyState() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const Other = use(TerminalSlotsContext).empty;
  const State = emptyStates[serialSupport()];
  return Other === null ? <State port={selected} /> : <Other />;
}
