/** The console: toolbar, log or empty state, docked strips, and send bar. */
import type { PortNumber } from '@wirebench/serial';
import { type KeyboardEvent, type ReactNode, use, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { type SerialSupport, serialSupport } from '../../../hardware/serial-support.ts';
import { media } from '../../../shared/styles/media.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FindFailure } from '../../../workbench/console/find/find-field.tsx';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { UsedPortStrips } from '../../../workbench/sharing/used-port.tsx';
import { InsecureContext } from '../failures/insecure-context.tsx';
import { layoutStorage } from '../layout-storage.ts';
import { NoPortOpen } from '../no-port-open.tsx';
import { anyPortOpen, openCount } from '../open-ports-of.ts';
import { useScreenSettings } from '../screen/screen-settings.ts';
import { ScreenKeys } from '../screen/screen-slot.tsx';
import { useScreenKey } from '../screen/use-screen-key.ts';
import { SendBar } from '../send/send-bar.tsx';
import separatorStyles from '../separator.module.css';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { tabId } from '../strip/port-tab.tsx';
import { changeTerminalSession, terminalSessionNow, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { ConsoleDock } from '../tools/console-dock.tsx';
import { showTool, useLargeTool, useOpenTool } from '../tools/open-tool.ts';
import { ToolDock } from '../tools/tool-dock.tsx';
import { UnsupportedBrowser } from '../unsupported-browser.tsx';
import { useShortcuts } from '../use-shortcuts.ts';
import { ActivityLanes } from './activity-lanes.tsx';
import { LogArea, useLogNames } from './console-logs.tsx';
import styles from './console-pane.module.css';
import { FullStrip } from './full-strip.tsx';
import { InspectorStrip } from './inspector-strip.tsx';
import type { LogName } from './log-lines.ts';
import { RecordingStrips } from './recording-strip.tsx';
import { ScreenAndLog, useLogAtScreen } from './screen-and-log.tsx';
import { SelectionStrip } from './selection-strip.tsx';
import { Tail } from './tail.tsx';
import { Toolbar } from './toolbar.tsx';
import { useConsoleLogs } from './use-console-logs.ts';
import { useWide } from './use-wide.ts';
import { WaitingStrips } from './waiting-strip.tsx';

/** Minimum width for a tool beside the log, in px. */
const leastForBoth = 1_200;

/** Minimum widths of the log and of the tool beside it, in px. */
const leastWidths = { log: 480, tools: 560 };

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
  const lanes = useTerminalSettings((settings) => settings.lanes);
  const severalOpen = useBenchStatus((view) => openCount(view) > 1);
  const showsLanes = lanes === 'on' || (lanes === 'auto' && severalOpen);
  const { isReadOnly } = use(TerminalSlotsContext);
  const onScreen = useScreenSettings((settings) => settings.isShown) && !empty && !isReadOnly;
  const logAtScreen = useLogAtScreen(names);
  const tool = useOpenTool();
  const chosenLarge = useLargeTool();
  const place = useRef<HTMLDivElement>(null);
  const hasRoom = useWide(place, leastForBoth);
  const isBeside = tool !== null && hasRoom;
  const isBelow = tool !== null && !isBeside;
  const isSmall = useMediaQuery(`${media.phone}, ${media.low}`);
  // In a small window, a crash's stacks get the whole console until the tool is closed or made smaller.
  const isCrowded = isBelow && isSmall && tool === 'crashes';
  const isLarge = chosenLarge ?? isCrowded;
  const isWhole = isCrowded && isLarge;
  const remembered = useDefaultLayout({
    id: 'wirebench.console-and-tools',
    storage: layoutStorage,
    panelIds: isBeside ? ['log', 'tools'] : ['log'],
  });
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
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      find();
    }
  };
  const showTime = (at: number) => {
    if (!isWhole) {
      void logs.showTime(at);
      return;
    }
    showTool(null);
    // The log regains its height in the next frame.
    requestAnimationFrame(() => void logs.showTime(at));
  };
  const tools = <ToolDock isBeside={isBeside} isLarge={isLarge} onShowTime={showTime} />;
  const main = (
    <div
      className={classNames(styles['pane'], isBelow && styles['withTool'])}
      data-tool-open={isBelow ? tool : undefined}
      data-tool-large={isBelow && isLarge ? '' : undefined}
      data-tool-whole={isWhole ? '' : undefined}
    >
      <div className={styles['top']}>
        <Toolbar
          empty={empty}
          following={logs.following}
          onFollow={logs.followAll}
          onFind={find}
          find={{
            field,
            onStep: (direction) => void logs.step(direction),
            onLeave: leave,
          }}
        />
        <FindFailure />
        {showsLanes ? <ActivityLanes only={onlyPane(names)} onJump={(at) => void logs.showTime(at)} /> : null}
      </div>
      <div className={styles['body']}>
        {empty ? (
          <EmptyState />
        ) : onScreen ? (
          <ScreenAndLog logs={logs} names={names} log={logAtScreen} />
        ) : (
          <LogArea logs={logs} names={names} />
        )}
        {drawer}
      </div>
      {isBelow ? tools : null}
      <div className={styles['docked']}>
        <ConsoleDock />
        <WaitingStrips />
        <UsedPortStrips />
        <RecordingStrips />
        <ExportStrip />
        {dropped ? <FullStrip /> : null}
        {empty || (onScreen && logAtScreen === null) || names[0] !== 'all' ? null : (
          <>
            <InspectorStrip logs={logs} name="all" />
            <SelectionStrip logs={logs} name="all" />
          </>
        )}
        <Tail
          empty={empty}
          split={names[0] !== 'all'}
          pausedAt={logs.pausedAt('all')}
          onFollow={() => logs.follow('all')}
        />
      </div>
      {isReadOnly ? (
        <p className={styles['readOnly']}>An opened log: nothing can be sent.</p>
      ) : onScreen ? (
        <ScreenKeys />
      ) : (
        <SendBar onLeave={leave} />
      )}
    </div>
  );
  return (
    <section ref={place} className={styles['place']} aria-label="Console" onKeyDown={pressed}>
      <Group
        orientation="horizontal"
        {...(remembered.defaultLayout && { defaultLayout: remembered.defaultLayout })}
        onLayoutChanged={remembered.onLayoutChanged}
      >
        <Panel key="log" id="log" minSize={isBeside ? leastWidths.log : 0}>
          {main}
        </Panel>
        {isBeside ? (
          <>
            <Separator key="separator" className={separatorStyles['separator']} aria-label="Width of the tools" />
            <Panel key="tools" id="tools" defaultSize="60%" minSize={leastWidths.tools}>
              {tools}
            </Panel>
          </>
        ) : null}
      </Group>
    </section>
  );
}

/** Returns the port of the only pane. Null for one log of all ports, or several panes. */
function onlyPane([name, ...others]: readonly LogName[]): PortNumber | null {
  return name === undefined || name === 'all' || others.length > 0 ? null : name;
}

function EmptyState() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const Other = use(TerminalSlotsContext).empty;
  const State = emptyStates[serialSupport()];
  return Other === null ? <State port={selected} /> : <Other />;
}
