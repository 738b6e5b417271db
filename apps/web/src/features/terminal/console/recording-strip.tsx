import { Disc } from 'lucide-react';
import { useEffect } from 'react';
import { sizeText } from '../../../shared/format/bytes.ts';
import type { RecordedFile } from '../../../shared/storage/recording-folder.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../../../workbench/strip.module.css';
import { collectFailedRecording, deleteRecording, saveRecording, useUnsavedRecordings } from './recordings.ts';

/**
 * Strips about recordings: a warning while one runs, and one strip for each unsaved file. Files stay unsaved after
 * recordings of several ports, after a crash, or if the disk was full.
 */
export function RecordingStrips() {
  const files = useUnsavedRecordings();
  const failed = useBenchStatus((view) => view.recording.state === 'failed');
  useEffect(() => {
    if (failed) {
      void collectFailedRecording();
    }
  }, [failed]);
  return (
    <>
      <FragileStrip />
      {files.map((file) => (
        <RecordingStrip key={file.name} file={file} />
      ))}
    </>
  );
}

/** Warning for browsers that write the last part of a recording only when its file is closed. */
function FragileStrip() {
  const fragile = useBenchStatus(({ recording }) => recording.state === 'recording' && !recording.durable);
  return fragile ? (
    <div className={`row ${styles['strip']}`}>
      <Disc />
      <span>
        <b>Stop the recording before you close this tab.</b> This browser saves the last part only then.
      </span>
    </div>
  ) : null;
}

function RecordingStrip({ file: { name, size } }: { readonly file: RecordedFile }) {
  const { armed, press } = useTwoPresses(() => void deleteRecording(name));
  return (
    <div className={`row ${styles['strip']}`}>
      <Disc />
      <span>
        <b>A recording has not been saved.</b> {name}, {sizeText(size)}
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => void saveRecording(name)}>
          Save
        </Button>
        <Button size="sm" variant={armed ? 'danger' : 'quiet'} onClick={press}>
          {armed ? 'Delete permanently?' : 'Delete'}
        </Button>
      </span>
    </div>
  );
}
