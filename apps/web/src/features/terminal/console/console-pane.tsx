/** The console: toolbar, log or what stands in for it, the docked strips, and the send bar. */
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { type SerialSupport, serialSupport } from '../../../hardware/serial-support.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { ConsoleLog, type ConsoleLogHandle } from '../../../workbench/console/console-log.tsx';
import { InsecureContext } from '../insecure-context.tsx';
import { NoPortOpen } from '../no-port-open.tsx';
import { anyPortOpen } from '../open-ports-of.ts';
import { SendBar } from '../send/send-bar.tsx';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { UnsupportedBrowser } from '../unsupported-browser.tsx';
import { useShortcuts } from '../use-shortcuts.ts';
import styles from './console-pane.module.css';
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

export interface ConsolePaneProps extends Pick<ToolbarProps, 'onSettings'> {
  /** Lies over the log, and over nothing else, while it is there. */
  readonly drawer?: ReactNode;
}

export function ConsolePane({ onSettings, drawer = null }: ConsolePaneProps) {
  const log = useRef<ConsoleLogHandle>(null);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const empty = useBenchStatus((view) => view.status.lines === 0 && !anyPortOpen(view));
  const dropped = useBenchStatus(({ status }) => status.droppedLines > 0);
  const follow = (wanted: boolean) => (wanted ? log.current?.follow() : log.current?.pause());
  useShortcuts(() => follow(pausedAt !== null));
  return (
    <section className={styles['pane']} aria-label="Console">
      <Toolbar
        following={pausedAt === null}
        onFollow={follow}
        onSettings={onSettings}
        settingsShown={drawer !== null}
      />
      <div className={styles['body']}>
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
  const { lines, droppedLines } = benchStatus.tick.status;
  return lines + droppedLines;
}

interface LogProps {
  readonly log: RefObject<ConsoleLogHandle | null>;
  readonly onFollowing: (following: boolean) => void;
}

function Log({ log, onFollowing }: LogProps) {
  const layout = useTerminalSettings((settings) => settings.layout);
  const rowHeight = useTerminalSettings((settings) => settings.rowHeight);
  return (
    <ConsoleLog
      ref={log}
      layout={layout}
      rowHeight={rowHeight}
      onFollowing={onFollowing}
      onCopied={() => toast('Line copied')}
    />
  );
}

function EmptyState() {
  const selected = useTerminalSession((session) => session.selectedPort);
  const State = emptyStates[serialSupport()];
  return <State port={selected} />;
}
