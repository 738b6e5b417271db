/** Dialog that lists the recordings in this browser: their facts, and what can be done with them. */
import { Download, FileText, FolderOpen, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { exactText } from '../../../shared/dates/dates.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useNextRowFocus } from '../../../shared/ui/use-next-row-focus.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { openRecording } from './open-recording.ts';
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
          <span className="small">Downloaded. The copy in this browser is deleted on a later visit.</span>
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
            ? 'Download all as zip'
            : 'Download'
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
              aria-label={`Download ${name}`}
              onClick={() => void saveRecordedFile(name)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
