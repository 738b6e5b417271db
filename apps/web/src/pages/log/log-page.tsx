/** `/log.html`: the terminal on logs in files. */
import { defaultFraming, portNumbers } from '@wirebench/serial';
import { useEffect, useMemo, useRef } from 'react';
import { addLogs } from '../../features/opened-log/choose-logs.ts';
import { LogBanner } from '../../features/opened-log/log-banner.tsx';
import { NoLog } from '../../features/opened-log/no-log.tsx';
import styles from '../../features/terminal/empty-states.module.css';
import { borrowPort, changePort, useTerminalSettings } from '../../features/terminal/settings/settings-store.ts';
import { Terminal } from '../../features/terminal/terminal.tsx';
import {
  changeTerminalSession,
  terminalSessionNow,
  useTerminalSession,
} from '../../features/terminal/terminal-session.ts';
import { noSlots, type TerminalSlots, TerminalSlotsContext } from '../../features/terminal/terminal-slots.ts';
import { takeDroppedLog } from '../../features/terminal/tools/take-dropped-log.ts';
import { Led } from '../../shared/ui/led.tsx';
import { takeGivenLog } from '../../workbench/opened-log/given-logs.ts';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';
import { openedLogs, useLogs } from '../../workbench/opened-log/log-store.ts';
import { LogPane } from './log-pane.tsx';

/** Start of the line below the log: the number of opened logs, and their order. */
function LogStanding() {
  const count = useLogs(({ logs }) => logs.length);
  const isMerged = useLogs((tick) => tick.isMerged);
  return (
    <>
      <Led tone="off" />
      <span>{count === 1 ? 'Opened log' : `${count} logs, ${isMerged ? 'by their times' : 'side by side'}`}</span>
    </>
  );
}

const slots: TerminalSlots = {
  ...noSlots,
  banner: <Banner />,
  empty: NoLines,
  pane: LogPane,
  standing: LogStanding,
  isReadOnly: true,
  takeLog: (file) => takeDroppedLog(file, (log) => addLogs([log])),
};

// A person's own names and framings are of ports, not of logs.
for (const port of portNumbers) {
  borrowPort(port, { name: `Log ${port}`, settings: null });
  changePort(port, { framing: defaultFraming });
}

export function LogPage() {
  useEffect(takeGivenLog, []);
  const isEmpty = useLogs(({ logs }) => logs.length === 0);
  const isSplit = useLogs(({ logs, isMerged }) => logs.length > 1 && !isMerged);
  useLogNames();
  const given = useMemo(() => ({ ...slots, isSplit }), [isSplit]);
  if (isEmpty) {
    return <NoLog />;
  }
  return (
    <TerminalSlotsContext value={given}>
      <Terminal />
      <BufferSize />
    </TerminalSlotsContext>
  );
}

/** Calls each log by the name of its file, and selects a log that is open. */
function useLogNames(): void {
  const names = useLogs(({ logs }) => JSON.stringify(logs.map(({ log, name }) => [log, name])));
  useEffect(() => {
    const { logs } = openedLogs();
    if (names === '[]') {
      return;
    }
    for (const { log, name } of logs) {
      borrowPort(log, { name, settings: null });
    }
    const { selectedPort } = terminalSessionNow();
    const [first] = logs;
    if (first !== undefined && !logs.some(({ log }) => log === selectedPort)) {
      changeTerminalSession({ selectedPort: first.log });
    }
  }, [names]);
}

/** Reads the logs again when the memory for their lines has changed. */
function BufferSize() {
  const size = useTerminalSettings((settings) => settings.bufferSize);
  const known = useRef(size);
  useEffect(() => {
    if (known.current !== size) {
      known.current = size;
      void toastLogError(getLogs().call('resize', size << 20));
    }
  }, [size]);
  return null;
}

function Banner() {
  return <LogBanner log={useTerminalSession((session) => session.selectedPort)} />;
}

/** The log is empty, or none of it was read yet. */
function NoLines() {
  const isReading = useLogs(({ work }) => work !== null);
  return <div className={styles['state']}>{isReading ? null : <p>This log has no lines.</p>}</div>;
}
