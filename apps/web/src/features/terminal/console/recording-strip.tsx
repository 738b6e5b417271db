import { Disc } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../../../workbench/strip.module.css';
import { showRecordingDialog, useRecordings } from './recording-store.ts';
import { listRecordings } from './recordings.ts';

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
  return (
    <>
      <FragileStrip />
      <Suspense fallback={null}>{unsaved.length > 0 ? <UnsavedStrips unsaved={unsaved} /> : null}</Suspense>
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

const UnsavedStrips = lazy(async () => ({ default: (await import('./unsaved-strips.tsx')).UnsavedStrips }));
const RecordDialog = lazy(async () => ({ default: (await import('./record-dialog.tsx')).RecordDialog }));
const RecordingsDialog = lazy(async () => ({ default: (await import('./recordings-dialog.tsx')).RecordingsDialog }));

function RecordingDialogs() {
  const dialog = useRecordings((state) => state.dialog);
  const close = () => showRecordingDialog(null);
  return (
    <Suspense fallback={null}>
      {dialog?.name === 'record' ? <RecordDialog kind={dialog.kind} onClose={close} /> : null}
      {dialog?.name === 'list' ? <RecordingsDialog onClose={close} /> : null}
    </Suspense>
  );
}
