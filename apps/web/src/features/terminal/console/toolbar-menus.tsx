/** Menus of the console's toolbar: time, recording, export and display options. */
import { portNumbers } from '@wirebench/serial';
import { Circle, Clock, Download, FileDigit, FileText, ListFilter, SlidersHorizontal, Table2 } from 'lucide-react';
import { count, lines } from '../../../shared/format/numbers.ts';
import { memoryText, sizeText } from '../../../shared/format/bytes.ts';
import { canRecord } from '../../../shared/storage/recording-folder.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { timeLabels, timeModes } from '../../../workbench/console/row-times.ts';
import { changeSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { exportLog, exportRaw } from './export-log.ts';
import { startRecording, stopRecording } from './recordings.ts';
import styles from './toolbar.module.css';
import { useWrap } from './use-wrap.ts';

/** Menu of the time format and the marks around each line. */
export function TimeMenu() {
  const times = useTerminalSettings((settings) => settings.times);
  const marks = useTerminalSettings((settings) => settings.marks);
  const lineEnds = useTerminalSettings((settings) => settings.lineEnds);
  const controls = useTerminalSettings((settings) => settings.controls);
  return (
    <Menu
      align="end"
      items={[
        ...timeModes.map((mode) => ({
          label: timeLabels[mode],
          checked: mode === times,
          onSelect: () => changeSettings({ times: mode }),
        })),
        'separator',
        { label: 'Direction marks', checked: marks, onSelect: () => changeSettings({ marks: !marks }) },
        { label: 'Line endings', checked: lineEnds, onSelect: () => changeSettings({ lineEnds: !lineEnds }) },
        { label: 'Control bytes', checked: controls, onSelect: () => changeSettings({ controls: !controls }) },
      ]}
      trigger={(props) => (
        <Button {...props} size="sm" variant="quiet" icon={<Clock />} aria-label="Time">
          <span className={styles['word']}>Time</span>
        </Button>
      )}
    />
  );
}

export function RecordButton() {
  const recording = useBenchStatus((view) => view.recording);
  if (!canRecord()) {
    return (
      <Tooltip text="Recording needs a page served over https or from localhost">
        {(anchor) => (
          <Button {...anchor} size="sm" variant="quiet" icon={<Circle />} aria-label="Record" aria-disabled>
            <span className={styles['word']}>Record</span>
          </Button>
        )}
      </Tooltip>
    );
  }
  const on = recording.state === 'recording';
  return (
    <Button
      size="sm"
      variant={on ? 'default' : 'quiet'}
      icon={<Circle className={on ? styles['recording'] : undefined} />}
      pressed={on}
      aria-label={
        on ? `Stop recording and save the file, ${sizeText(recording.bytes)}` : 'Record received data to a file'
      }
      onClick={() => void (on ? stopRecording() : startRecording())}
    >
      {on ? sizeText(recording.bytes) : <span className={styles['word']}>Record</span>}
    </Button>
  );
}

/** Export actions for filtered lines only. */
const shownOnly = [
  { label: 'Shown lines only, as text', icon: <ListFilter />, onSelect: () => void exportLog('text', true) },
  { label: 'Shown lines only, as CSV', icon: <ListFilter />, onSelect: () => void exportLog('csv', true) },
] satisfies MenuAction[];

export function ExportMenu() {
  const opened = useBenchStatus(({ status }) =>
    portNumbers.filter((port) => status.ports[port].connectedAt !== null).join(),
  );
  const shown = useBenchStatus(({ find }) => find?.shown ?? null);
  const held = useBenchStatus(({ status }) => status.lines);
  const settings = useTerminalSettings((all) => all);
  const raw: MenuAction[] = portNumbers
    .filter((port) => opened.includes(String(port)))
    .map((port) => ({
      label: `Received bytes of ${portName(settings, port)}`,
      icon: <FileDigit />,
      onSelect: () => void exportRaw(port),
    }));
  return (
    <Menu
      align="end"
      header={shown === null ? undefined : `${count(shown)} of ${lines(held)} shown`}
      items={[
        { label: 'Text log', icon: <FileText />, shortcut: 'Shift+X', onSelect: () => void exportLog('text') },
        { label: 'CSV', icon: <Table2 />, onSelect: () => void exportLog('csv') },
        ...(shown === null ? [] : (['separator', ...shownOnly] as const)),
        ...(raw.length > 0 ? (['separator', ...raw] as const) : []),
      ]}
      trigger={(props) => <IconButton {...props} label="Export" variant="quiet" size="sm" icon={<Download />} />}
    />
  );
}

export function OptionsMenu() {
  const rowHeight = useTerminalSettings((settings) => settings.rowHeight);
  const bufferSize = useTerminalSettings((settings) => settings.bufferSize);
  const lanes = useTerminalSettings((settings) => settings.lanes);
  const wrap = useWrap();
  return (
    <Menu
      align="end"
      items={[
        {
          label: 'Compact rows',
          checked: rowHeight === 20,
          onSelect: () => changeSettings({ rowHeight: rowHeight === 20 ? 25 : 20 }),
        },
        { label: 'Activity lanes', checked: lanes, onSelect: () => changeSettings({ lanes: !lanes }) },
        { label: 'Wrap long lines', checked: wrap, onSelect: () => changeSettings({ wrap: !wrap }) },
        'separator',
        ...bufferSizes.map((size) => ({
          label: `Keep ${memoryText(size << 20)} per port`,
          checked: size === bufferSize,
          onSelect: () => changeSettings({ bufferSize: size }),
        })),
      ]}
      trigger={(props) => (
        <IconButton {...props} label="Console options" variant="quiet" size="sm" icon={<SlidersHorizontal />} />
      )}
    />
  );
}
