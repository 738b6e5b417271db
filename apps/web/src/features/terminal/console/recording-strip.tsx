import { Disc } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../../../workbench/strip.module.css';
import {
  deleteRecording,
  type ListedRecording,
  listRecordings,
  saveRecording,
  showRecordingDialog,
  useRecordings,
} from './recordings.ts';

/**
 * Strips about recordings: a warning while one runs, and unsaved recordings. Recordings stay unsaved if they have
 * several files, after a crash, or if the disk was full.
 */
export function RecordingStrips() {
  const all = useRecordings((state) => state.all);
  const unsaved = all.filter(({ state, isSaved, files }) => state !== 'running' && !isSaved && files.length > 0);
  const running = useBenchStatus(({ recordings }) => recordings.map(({ id }) => id).join());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes when a recording starts or ends.
  useEffect(() => void listRecordings(), [running]);
  const [only] = unsaved;
  return (
    <>
      <FragileStrip />
      {unsaved.length === 1 && only !== undefined ? <UnsavedStrip key={only.id} recording={only} /> : null}
      {unsaved.length > 1 ? <UnsavedStrips unsaved={unsaved} /> : null}
      <RecordingDialogs />
    </>
  );
}

/** Warning for browsers that write the last part of a recording only when its file is closed. */
function FragileStrip() {
  const fragile = useBenchStatus(({ recordings }) => recordings.some(({ durable }) => !durable));
  return fragile ? (
    <div className={`row ${styles['strip']}`}>
      <Disc />
      <span>
        <b>Stop the recording before you close this tab.</b> This browser saves the last part only then.
      </span>
    </div>
  ) : null;
}

function UnsavedStrip({ recording: { id, files, bytes } }: { readonly recording: ListedRecording }) {
  const { armed, press } = useTwoPresses(() => void deleteRecording(id));
  const name = files.length === 1 ? (files[0]?.name ?? id) : `${id}, ${counted(files.length, 'file')}`;
  return (
    <div className={`row ${styles['strip']}`}>
      <Disc />
      <span>
        <b>A recording has not been saved.</b> {name}, {sizeText(bytes)}
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => void saveRecording(id)}>
          Save
        </Button>
        <Button size="sm" variant={armed ? 'danger' : 'quiet'} onClick={press}>
          {armed ? 'Delete permanently?' : 'Delete'}
        </Button>
      </span>
    </div>
  );
}

function UnsavedStrips({ unsaved }: { readonly unsaved: readonly ListedRecording[] }) {
  const bytes = unsaved.reduce((sum, recording) => sum + recording.bytes, 0);
  return (
    <div className={`row ${styles['strip']}`}>
      <Disc />
      <span>
        <b>{counted(unsaved.length, 'recording')} have not been saved.</b> {sizeText(bytes)}
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => showRecordingDialog({ name: 'list' })}>
          Show
        </Button>
      </span>
    </div>
  );
}

const RecordDialog = lazy(async () => ({ default: (await import('./record-dialog.tsx')).RecordDialog }));
const RecordingsDialog = lazy(async () => ({ default: (await import('./recordings-dialog.tsx')).RecordingsDialog }));

function RecordingDialogs() {
  const dialog = useRecordings((state) => state.dialog);
  const close = () => showRecordingDialog(null);
  return (
    <Suspense fallback={null}>
      {dialog?.name === 'record' ? <RecordDialog kind={dialog.kind} onClose={close} /> : null}
      {dialog?.name === 'list' ? <RecordingsDialog onClose={close} onOpen={null} /> : null}
    </Suspense>
  );
}
