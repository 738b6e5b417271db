/** Dialog that lists the recordings in this browser: their facts, and what can be done with them. */
import { Download, FileText, FolderOpen, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { parseRecordingFileName } from '../../../protocol/recording-index.ts';
import { exactText } from '../../../shared/dates/dates.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { recordedFile } from '../../../shared/storage/recording-folder.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useNextRowFocus } from '../../../shared/ui/use-next-row-focus.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import type { GivenLog } from '../../../workbench/opened-log/log-line.ts';
import { openLogs } from '../../../workbench/opened-log/open-log.ts';
import styles from './recording-dialogs.module.css';
import { type ListedRecording, useRecordings } from './recording-store.ts';
import { recordedPortsText, recordedTimeText, recordingEndText, recordingKindText } from './recording-texts.ts';
import { deleteRecording, listRecordings, saveRecordedFile, saveRecording, stopRecording } from './recordings.ts';
import { freeSpaceText, useFreeSpace } from './use-free-space.ts';

/** Time between two readings of the list while a recording runs, in milliseconds. */
const readInterval = 2_000;

export function RecordingsDialog({ onClose }: { readonly onClose: () => void }) {
  const all = useRecordings((state) => state.all);
  const free = useFreeSpace();
  const isRunning = all.some(({ state }) => state === 'running');
  useEffect(() => void listRecordings(), []);
  useEffect(() => {
    if (!isRunning) {
      return;
    }
    const timer = setInterval(() => void listRecordings(), readInterval);
    return () => clearInterval(timer);
  }, [isRunning]);
  const bytes = all.reduce((sum, recording) => sum + recording.bytes, 0);
  return (
    <Dialog open onClose={onClose} size="lg" title="Recordings in this browser">
      {all.length === 0 ? (
        <p ref={keepFocus} tabIndex={-1}>
          There are no recordings in this browser.
        </p>
      ) : (
        <>
          <ul className={styles['list']}>
            {all.toReversed().map((recording) => (
              <RecordingItem key={recording.id} recording={recording} />
            ))}
          </ul>
          <p className="small">
            {counted(all.length, 'recording')}, {sizeText(bytes)} in all. {freeSpaceText(free)}
          </p>
        </>
      )}
    </Dialog>
  );
}

/** The last row has taken the focus along. */
function keepFocus(text: HTMLElement | null): void {
  if (text !== null && document.activeElement === document.body) {
    text.focus();
  }
}

interface RecordingItemProps {
  readonly recording: ListedRecording;
}

function RecordingItem({ recording }: RecordingItemProps) {
  const { id, kind, ports, portNames, startedAt, endedAt, state, files, bytes, isSaved } = recording;
  const end = recordingEndText[state];
  const facts = [
    recordingKindText[kind],
    recordedPortsText(ports, portNames),
    exactText(new Date(startedAt).toISOString()),
    recordedTimeText(endedAt - startedAt),
    ...(files.length > 1 ? [counted(files.length, 'file')] : []),
  ];
  return (
    <li className={styles['item']} aria-label={id}>
      <div className={styles['facts']}>
        <b className={styles['name']}>{id}</b>
        <span className={styles['size']}>{sizeText(bytes)}</span>
        <span className="small">{facts.join(' · ')}</span>
        {end === null ? null : <span className="small">{end}</span>}
        {isSaved && state !== 'running' ? (
          <span className="small">Saved. The copy in this browser is deleted on a later visit.</span>
        ) : null}
      </div>
      {state === 'running' ? <RunningActions recording={recording} /> : <StoppedActions recording={recording} />}
      {state !== 'running' && files.length > 1 ? <Files recording={recording} /> : null}
    </li>
  );
}

function RunningActions({ recording: { id, isHere } }: { readonly recording: ListedRecording }) {
  return (
    <div className={styles['actions']}>
      {isHere ? (
        <>
          <span>Recording now</span>
          <Button size="sm" icon={<Square />} onClick={() => void stopRecording(id, { save: false })}>
            Stop
          </Button>
        </>
      ) : (
        <span>Recording in another tab. Stop it there.</span>
      )}
    </div>
  );
}

/** Opens recordings of this browser as logs in a tab of their own. */

/** Opens a recording. Call it from a click. */
function openRecording(names: readonly string[]): void {
  openLogs(Promise.all(recordingLogs(names).map(joinedLog)));
}

/**
 * Returns the files of each log of a recording: its text, which has all ports, else the bytes of each port. Parts are in
 * order.
 */
export function recordingLogs(names: readonly string[]): string[][] {
  const logs = new Map<number | null, string[]>();
  for (const name of names.toSorted(byPart)) {
    const file = parseRecordingFileName(name);
    if (file?.type === 'text' || file?.type === 'raw') {
      logs.set(file.port, [...(logs.get(file.port) ?? []), name]);
    }
  }
  const text = logs.get(null);
  return text === undefined ? [...logs.values()] : [text];
}

const partOf = (name: string) => parseRecordingFileName(name)?.part ?? 0;
const portOf = (name: string) => parseRecordingFileName(name)?.port ?? 0;
const byPart = (a: string, b: string) => portOf(a) - portOf(b) || partOf(a) - partOf(b);

async function joinedLog(names: readonly string[]): Promise<GivenLog> {
  const files = await Promise.all(names.map(recordedFile));
  // A Blob of files refers to them; their bytes stay on the disk.
  const file = files.length === 1 && files[0] !== undefined ? files[0] : new Blob(files);
  const [first = ''] = names;
  return {
    file,
    name: first.replace(/-part-\d+(?=\.\w+$)/, ''),
    lastModified: Math.max(...files.map(({ lastModified }) => lastModified)),
  };
}

function StoppedActions({ recording: { id, files, bytes } }: RecordingItemProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const controller = useRef(new AbortController());
  const { armed, press } = useTwoPresses(() => void deleteRecording(id));
  const remove = useRef<HTMLButtonElement>(null);
  useNextRowFocus(remove);
  useEffect(() => {
    const own = new AbortController();
    controller.current = own;
    return () => own.abort();
  }, []);
  const isZip = files.length > 1;
  const download = async () => {
    setProgress(isZip ? 0 : null);
    await saveRecording(id, { onProgress: setProgress, signal: controller.current.signal });
    setProgress(null);
  };
  return (
    <div className={styles['actions']}>
      {files.length === 0 ? null : (
        <Button size="sm" icon={<FolderOpen />} onClick={() => openRecording(files.map(({ name }) => name))}>
          Open
        </Button>
      )}
      <Button size="sm" icon={<Download />} busy={progress !== null} onClick={() => void download()}>
        {progress === null
          ? isZip
            ? 'Save all as zip'
            : 'Save'
          : `Zip: ${Math.floor((100 * progress) / Math.max(1, bytes))} %`}
      </Button>
      <Button ref={remove} data-row="" size="sm" variant={armed ? 'danger' : 'quiet'} icon={<Trash2 />} onClick={press}>
        {armed ? 'Delete permanently?' : 'Delete'}
      </Button>
    </div>
  );
}

function Files({ recording: { files } }: { readonly recording: ListedRecording }) {
  return (
    <details className={styles['files']}>
      <summary>{counted(files.length, 'file')}</summary>
      <ul>
        {files.map(({ name, size }) => (
          <li key={name}>
            <FileText />
            <span className={styles['name']}>{name}</span>
            <span className={styles['size']}>{sizeText(size)}</span>
            <Button
              size="sm"
              variant="quiet"
              icon={<Download />}
              aria-label={`Save ${name}`}
              onClick={() => void saveRecordedFile(name)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
