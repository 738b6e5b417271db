/** The console: toolbar, log or what stands in for it, the docked strips, and the send bar. */
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { type SerialSupport, serialSupport } from '../../../hardware/serial-support.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { ConsoleLog, type ConsoleLogHandle } from '../../../workbench/console/console-log.tsx';

import { lines } from '../amounts.ts';
import { InsecureContext } from '../insecure-context.tsx';
import { NoPortOpen } from '../no-port-open.tsx';
import { anyPortOpen } from '../open-ports-of.ts';
import { SendBar } from '../send/send-bar.tsx';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { ConsoleDock } from '../tools/console-dock.tsx';
import { UnsupportedBrowser } from '../unsupported-browser.tsx';
import { useShortcuts } from '../use-shortcuts.ts';
import { ActivityLanes } from './activity-lanes.tsx';
import styles from './console-pane.module.css';
import { FindFailure } from './find-field.tsx';
import { FullStrip } from './full-strip.tsx';
import { NoticeRegion } from './notice-region.tsx';
import { RecordingStrips } from './recording-strip.tsx';
import { TailStrip } from './tail-strip.tsx';
import { Toolbar, type ToolbarProps } from './toolbar.tsx';
import { WaitingStrips } from './waiting-strip.tsx';

const emptyStates = {
  ready: NoPortOpen,
  unsupported: UnsupportedBrowser,
  'insecure-context': InsecureContext,
} satisfies Record<SerialSupport, unknown>;

export interface ConsolePaneProps
  extends Pick<ToolbarProps, 'onSettings' | 'onPanels'>,
    Partial<Pick<ToolbarProps, 'settingsShown' | 'panelsShown'>> {
  /** Lies over the log, and over nothing else, while it is there. */
  readonly drawer?: ReactNode;
}

export function ConsolePane({
  onSettings,
  settingsShown = false,
  onPanels,
  panelsShown = false,
  drawer = null,
}: ConsolePaneProps) {
  const log = useRef<ConsoleLogHandle>(null);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const empty = useBenchStatus((view) => view.status.lines === 0 && !anyPortOpen(view));
  const dropped = useBenchStatus(({ status }) => status.droppedLines > 0);
  const follow = (wanted: boolean) => (wanted ? log.current?.follow() : log.current?.pause());
  const field = useRef<HTMLInputElement>(null);
  const find = () => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts(() => follow(pausedAt !== null), find);
  const pressed = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      find();
    }
  };
  return (
    <section className={styles['pane']} aria-label="Console" onKeyDown={pressed}>
      <div>
        <Toolbar
          following={pausedAt === null}
          onFollow={follow}
          onSettings={onSettings}
          settingsShown={settingsShown}
          onPanels={onPanels}
          panelsShown={panelsShown}
          find={{
            field,
            onStep: (direction) => void log.current?.step(direction),
            onLeave: () => (log.current === null ? field.current?.blur() : log.current.focus()),
          }}
        />
        <FindFailure />
        <ActivityLanes onJump={(at) => void log.current?.showTime(at)} />
      </div>
      <div className={styles['body']}>
        <ConsoleDock />
        {empty ? <EmptyState /> : <Log log={log} onFollowing={(on) => setPausedAt(on ? null : arrived())} />}
        {drawer}
      </div>
      <div className={styles['docked']}>
        <WaitingStrips />
        <RecordingStrips />
        {dropped ? <FullStrip /> : null}
        {empty ? null : <TailStrip pausedAt={pausedAt} onFollow={() => follow(true)} />}
      </div>
      <SendBar />
      <NoticeRegion />
    </section>
  );
}

/** Lines that have come in all, those that left included. */
function arrived(): number {
  const { status } = benchStatus.tick;
  return status.lines + status.droppedLines;
}

interface LogProps {
  readonly log: RefObject<ConsoleLogHandle | null>;
  readonly onFollowing: (following: boolean) => void;
}

function Log({ log, onFollowing }: LogProps) {
  const layout = useTerminalSettings((settings) => settings.layout);
  const rowHeight = useTerminalSettings((settings) => settings.rowHeight);
  const times = useTerminalSettings((settings) => settings.times);
  const marks = useTerminalSettings((settings) => settings.marks);
  const lineEnds = useTerminalSettings((settings) => settings.lineEnds);
  return (
    <ConsoleLog
      ref={log}
      layout={layout}
      rowHeight={rowHeight}
      times={times}
      marks={marks}
      lineEnds={lineEnds}
      onFollowing={onFollowing}
      onCopied={() => toast('Line copied')}
      onRowsCopied={(outcome) =>
        'failure' in outcome
          ? toast(`The lines could not be copied: ${outcome.failure}`, { level: 'error' })
          : toast(`${lines(outcome.lines)} copied`)
      }
    />
  );
}

function EmptyState() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const State = emptyStates[serialSupport()];
  return <State port={selected} />;
}
