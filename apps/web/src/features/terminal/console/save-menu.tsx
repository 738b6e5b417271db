/** Menu that saves the log to a file or starts a recording, and the button that stops recordings. */
import { portNumbers } from '@wirebench/serial';
import { CircleDot, Copy, Download, FileDigit, FileText, ListFilter, ListVideo, Square, Table2 } from 'lucide-react';
import { use, useEffect, useState } from 'react';
import type { RunningRecording } from '../../../protocol/bench/recording-part.ts';
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
import { showRecordingDialog, useRecordings } from './recording-store.ts';
import { stopText } from './recording-texts.ts';
import { stopRecording, stopRecordings } from './recordings.ts';
import styles from './toolbar.module.css';

/** Loaded when it is used: few people have an agent. */
const copyForAgent = async () => (await import('../agent-copy.ts')).copyForAgent();

/** Export actions for filtered lines only. */
const shownOnly = [
  { label: 'Shown lines only, as text', icon: <ListFilter />, onSelect: () => void exportLog('text', true) },
  { label: 'Shown lines only, as CSV', icon: <ListFilter />, onSelect: () => void exportLog('csv', true) },
] satisfies MenuAction[];

export interface SaveMenuProps {
  /** True: there is no log yet, so that only the list of recordings is offered. */
  readonly empty: boolean;
}

export function SaveMenu({ empty }: SaveMenuProps) {
  const { isReadOnly } = use(TerminalSlotsContext);
  const opened = useBenchStatus((view) => usedPorts(view).join());
  const shown = useBenchStatus(({ find }) => find?.shown ?? null);
  const held = useBenchStatus(({ status }) => status.lines);
  const stored = useRecordings(({ all }) => all.length);
  const settings = useTerminalSettings((all) => all);
  const raw: MenuAction[] = portNumbers
    .filter((port) => opened.includes(String(port)))
    .map((port) => ({
      label: `Received bytes of ${portName(settings, port)}`,
      icon: <FileDigit />,
      onSelect: () => void exportRaw(port),
    }));
  const record: MenuAction[] = canRecord()
    ? [
        {
          label: 'Record text with times…',
          icon: <CircleDot />,
          onSelect: () => showRecordingDialog({ name: 'record', kind: 'text' }),
        },
        {
          label: 'Record received bytes…',
          icon: <CircleDot />,
          onSelect: () => showRecordingDialog({ name: 'record', kind: 'raw' }),
        },
      ]
    : [
        {
          label: 'Record: needs a page served over https or from localhost',
          icon: <CircleDot />,
          disabled: true,
          onSelect: () => undefined,
        },
      ];
  const list: MenuAction[] =
    stored === 0
      ? []
      : [
          {
            label: `Recordings in this browser (${count(stored)})`,
            icon: <ListVideo />,
            onSelect: () => showRecordingDialog({ name: 'list' }),
          },
        ];
  if (empty && stored === 0) {
    return null;
  }
  return (
    <Menu
      align="end"
      header={shown === null ? undefined : `${count(shown)} of ${lines(held)} shown`}
      items={
        empty
          ? list
          : [
              { label: 'Text log', icon: <FileText />, shortcut: 'Shift+X', onSelect: () => void exportLog('text') },
              { label: 'CSV', icon: <Table2 />, onSelect: () => void exportLog('csv') },
              { label: 'Copy for an agent', icon: <Copy />, onSelect: () => void copyForAgent() },
              ...(shown === null ? [] : (['separator', ...shownOnly] as const)),
              ...(raw.length > 0 ? (['separator', ...raw] as const) : []),
              ...(isReadOnly ? [] : (['separator', ...record, ...list] as const)),
            ]
      }
      trigger={(props) => (
        <Button {...props} size="sm" variant="quiet" icon={<Download />} aria-label="Save the log">
          <span className={styles['word']}>Save</span>
        </Button>
      )}
    />
  );
}

/** Stops recordings. Drawn while one runs, with the size and time. */
export function StopButton() {
  const recordings = useBenchStatus((view) => view.recordings);
  const [only, ...others] = recordings;
  if (only === undefined) {
    return null;
  }
  if (others.length > 0) {
    return <StopMenu recordings={recordings} />;
  }
  const { folder, files } = only;
  const place = folder !== null ? 'close the files' : files > 1 ? `keep ${files} files to save` : 'save the file';
  return (
    <Button
      size="sm"
      className={styles['stop']}
      icon={<Square />}
      aria-label={`Stop recording and ${place}, ${recordedText([only])}`}
      onClick={() => void stopRecording(only.id)}
    >
      <span className={styles['word']}>Stop</span>
      <RecordedFigures recordings={recordings} />
    </Button>
  );
}

/** Stops one of several recordings, or all. Several are not saved at once, because browsers ask about many downloads. */
function StopMenu({ recordings }: { readonly recordings: readonly RunningRecording[] }) {
  return (
    <Menu
      align="end"
      items={[
        ...recordings.map((recording) => ({
          label: stopText(recording),
          icon: <Square />,
          onSelect: () => void stopRecording(recording.id),
        })),
        'separator',
        { label: 'Stop all', icon: <Square />, onSelect: () => void stopRecordings() },
      ]}
      trigger={(props) => (
        <Button
          {...props}
          size="sm"
          className={styles['stop']}
          icon={<Square />}
          aria-label={`Stop one of ${recordings.length} recordings, ${recordedText(recordings)}`}
        >
          <span className={styles['word']}>Stop</span>
          <RecordedFigures recordings={recordings} />
        </Button>
      )}
    />
  );
}

/** Returns what was recorded: lines of text, or the size where bytes are recorded, too. */
function recordedText(recordings: readonly RunningRecording[]): string {
  const sum = (field: 'bytes' | 'lines') => recordings.reduce((all, recording) => all + recording[field], 0);
  return recordings.every(({ kind }) => kind === 'text') ? lines(sum('lines')) : sizeText(sum('bytes'));
}

/** Recorded lines or bytes, and the time, such as `80 lines · 00:42:10`. */
function RecordedFigures({ recordings }: { readonly recordings: readonly RunningRecording[] }) {
  const since = Math.min(...recordings.map((recording) => recording.since));
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  const time = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return (
    <span className={styles['figures']}>
      {recordedText(recordings)}
      <span className={styles['time']}>
        {' · '}
        {time}
      </span>
    </span>
  );
}
