import { Disc } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../../../workbench/strip.module.css';
import { showRecordingDialog, useRecordings } from './recording-store.ts';
import { listRecordings } from './recordings.ts';
import type { UnsavedStripsProps } from './unsaved-strips.tsx';

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
      {unsaved.length > 0 ? <Unsaved unsaved={unsaved} /> : null}
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

const loadUnsavedStrips = () => import('./unsaved-strips.tsx');
const loadRecordDialog = () => import('./record-dialog.tsx');
const loadRecordingsDialog = () => import('./recordings-dialog.tsx');

/** Strips of unsaved recordings. After a failed load, the next change of the list loads again. */
function Unsaved(props: UnsavedStripsProps) {
  const ids = props.unsaved.map(({ id }) => id).join();
  const [failedFor, setFailedFor] = useState<string | null>(null);
  const loaded = useLoaded(failedFor !== ids, loadUnsavedStrips, () => setFailedFor(ids));
  return loaded === null ? null : <loaded.UnsavedStrips {...props} />;
}

const closeDialog = () => showRecordingDialog(null);

function RecordingDialogs() {
  const dialog = useRecordings((state) => state.dialog);
  const record = useLoaded(dialog?.name === 'record', loadRecordDialog, closeDialog);
  const list = useLoaded(dialog?.name === 'list', loadRecordingsDialog, closeDialog);
  return (
    <>
      {dialog?.name === 'record' && record !== null ? (
        <record.RecordDialog kind={dialog.kind} onClose={closeDialog} />
      ) : null}
      {dialog?.name === 'list' && list !== null ? <list.RecordingsDialog onClose={closeDialog} /> : null}
    </>
  );
}
