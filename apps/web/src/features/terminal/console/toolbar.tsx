/** What can be done with the console as a whole. */
import { portNumbers } from '@wirebench/serial';
import {
  ArrowDownToLine,
  Circle,
  Clock,
  Download,
  Eraser,
  FileDigit,
  FileText,
  ListFilter,
  Pin,
  Settings2,
  SlidersHorizontal,
  Table2,
} from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { type TimeMode, timeModes } from '../../../workbench/console/row-times.ts';
import { canRecord } from '../../../workbench/recording/recording-folder.ts';
import { amount, count, lines } from '../amounts.ts';
import { changeSettings, portName, terminalSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { ToolsMenu } from '../tools/tools-menu.tsx';
import { clearLog, exportLog, exportRaw } from './export-log.ts';
import { FindField, type FindFieldProps } from './find-field.tsx';
import { PortsMenu } from './ports-menu.tsx';
import { startRecording, stopRecording } from './recordings.ts';
import styles from './toolbar.module.css';
import { useWrap } from './use-wrap.ts';

export interface ToolbarProps {
  readonly following: boolean;
  readonly onFollow: (follow: boolean) => void;
  /** Shows the port's settings where they do not stand beside the console; null where they do. */
  readonly onSettings: (() => void) | null;
  readonly settingsShown: boolean;
  /** Shows the device panels where they do not stand beside the console; null where they do. */
  readonly onPanels: (() => void) | null;
  readonly panelsShown: boolean;
  readonly find: FindFieldProps;
}

export function Toolbar({ following, onFollow, onSettings, settingsShown, onPanels, panelsShown, find }: ToolbarProps) {
  const layout = useTerminalSettings((settings) => settings.layout);
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Console">
      {onSettings === null ? null : (
        <IconButton
          label="Port settings"
          size="sm"
          icon={<Settings2 />}
          aria-expanded={settingsShown}
          onClick={onSettings}
        />
      )}
      <Segmented
        label="Display"
        value={layout}
        options={[
          { value: 'text', label: 'Text' },
          { value: 'hex', label: 'Hex' },
        ]}
        onChange={(chosen) => changeSettings({ layout: chosen })}
      />
      <FindField {...find} />
      <div className={styles['end']}>
        <PortsMenu />
        <TimeMenu />
        <ToolsMenu />
        <RecordButton />
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
        <ExportMenu />
        <OptionsMenu />
        {onPanels === null ? null : (
          <IconButton
            label="Device panels"
            variant="quiet"
            size="sm"
            icon={<Pin />}
            aria-expanded={panelsShown}
            onClick={onPanels}
          />
        )}
      </div>
    </div>
  );
}

const timeLabels = {
  off: 'No time',
  clock: 'Clock',
  elapsed: 'Since start',
  delta: 'Since the line before',
} satisfies Record<TimeMode, string>;

/** What stands in front of each line, and after it. */
function TimeMenu() {
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
        { label: 'Line ends', checked: lineEnds, onSelect: () => changeSettings({ lineEnds: !lineEnds }) },
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

function RecordButton() {
  const recording = useBenchStatus((view) => view.recording);
  if (!canRecord()) {
    return (
      <Tooltip text="Recording needs a page that comes over https or from localhost">
        {(anchor) => (
          <Button {...anchor} size="sm" variant="quiet" icon={<Circle />} aria-disabled>
            Record
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
        on ? `Stop recording and save the file, ${amount(recording.bytes)}` : 'Record what is received to a file'
      }
      onClick={() => void (on ? stopRecording() : startRecording())}
    >
      {on ? amount(recording.bytes) : <span className={styles['word']}>Record</span>}
    </Button>
  );
}

/** What a filter lets through, and nothing else. */
const shownOnly = [
  { label: 'Only the shown lines, text', icon: <ListFilter />, onSelect: () => void exportLog('text', true) },
  { label: 'Only the shown lines, comma-separated', icon: <ListFilter />, onSelect: () => void exportLog('csv', true) },
] satisfies MenuAction[];

function ExportMenu() {
  const opened = useBenchStatus(({ status }) =>
    portNumbers.filter((port) => status.ports[port].connectedAt !== null).join(),
  );
  const shown = useBenchStatus(({ find }) => find?.shown ?? null);
  const held = useBenchStatus(({ status }) => status.lines);
  const settings = terminalSettings.getState();
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
      header={shown === null ? undefined : `${count(shown)} of ${lines(held)} are shown`}
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

function OptionsMenu() {
  const rowHeight = useTerminalSettings((settings) => settings.rowHeight);
  const bufferSize = useTerminalSettings((settings) => settings.bufferSize);
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
        { label: 'Wrap long lines', checked: wrap, onSelect: () => changeSettings({ wrap: !wrap }) },
        'separator',
        ...bufferSizes.map((size) => ({
          label: `Keep ${size} MiB for each port`,
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
