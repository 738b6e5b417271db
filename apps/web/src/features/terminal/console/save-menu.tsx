/** Menu that saves the log to a file or starts a recording, and the button that stops the recording. */
import { portNumbers } from '@wirebench/serial';
import { Circle, Download, FileDigit, FileText, ListFilter, Square, Table2 } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { count, lines } from '../../../shared/format/numbers.ts';
import { canRecord } from '../../../shared/storage/recording-folder.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { exportLog, exportRaw } from './export-log.ts';
import { usedPorts } from './log-lines.ts';
import { startRecording, stopRecording } from './recordings.ts';
import styles from './toolbar.module.css';

/** Export actions for filtered lines only. */
const shownOnly = [
  { label: 'Shown lines only, as text', icon: <ListFilter />, onSelect: () => void exportLog('text', true) },
  { label: 'Shown lines only, as CSV', icon: <ListFilter />, onSelect: () => void exportLog('csv', true) },
] satisfies MenuAction[];

export function SaveMenu() {
  const { isReadOnly } = use(TerminalSlotsContext);
  const opened = useBenchStatus((view) => usedPorts(view).join());
  const shown = useBenchStatus(({ find }) => find?.shown ?? null);
  const held = useBenchStatus(({ status }) => status.lines);
  const recording = useBenchStatus((view) => view.recording.state === 'recording');
  const settings = useTerminalSettings((all) => all);
  const raw: MenuAction[] = portNumbers
    .filter((port) => opened.includes(String(port)))
    .map((port) => ({
      label: `Received bytes of ${portName(settings, port)}`,
      icon: <FileDigit />,
      onSelect: () => void exportRaw(port),
    }));
  const record: MenuAction = {
    label: canRecord()
      ? 'Record received data to a file'
      : 'Record received data: needs a page served over https or from localhost',
    icon: <Circle />,
    disabled: !canRecord(),
    onSelect: () => void startRecording(),
  };
  return (
    <Menu
      align="end"
      header={shown === null ? undefined : `${count(shown)} of ${lines(held)} shown`}
      items={[
        { label: 'Text log', icon: <FileText />, shortcut: 'Shift+X', onSelect: () => void exportLog('text') },
        { label: 'CSV', icon: <Table2 />, onSelect: () => void exportLog('csv') },
        ...(shown === null ? [] : (['separator', ...shownOnly] as const)),
        ...(raw.length > 0 ? (['separator', ...raw] as const) : []),
        ...(recording || isReadOnly ? [] : (['separator', record] as const)),
      ]}
      trigger={(props) => (
        <Button {...props} size="sm" variant="quiet" icon={<Download />} aria-label="Save the log">
          <span className={styles['word']}>Save</span>
        </Button>
      )}
    />
  );
}

/** Stops the recording. Drawn while one runs, with its size and time. */
export function StopButton() {
  const recording = useBenchStatus((view) => view.recording);
  if (recording.state !== 'recording') {
    return null;
  }
  return (
    <Button
      size="sm"
      className={styles['stop']}
      icon={<Square />}
      aria-label={`Stop recording and save the file, ${sizeText(recording.bytes)}`}
      onClick={() => void stopRecording()}
    >
      <span className={styles['word']}>Stop</span>
      <span className={styles['figures']}>
        {sizeText(recording.bytes)}
        <span className={styles['time']}>
          {' · '}
          <RecordedTime />
        </span>
      </span>
    </Button>
  );
}

/** Time since the recording was seen first, as `00:42:10`. */
function RecordedTime() {
  const [start] = useState(() => Date.now());
  const [now, setNow] = useState(start);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - start) / 1_000));
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
