import { Disc } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import type { RecordedFile } from '../../../workbench/recording/recording-folder.ts';
import { amount } from '../amounts.ts';
import { collectFailedRecording, deleteRecording, saveRecording, useUnsavedRecordings } from './recordings.ts';
import styles from './strip.module.css';

/** How long a delete button waits for its second press, in milliseconds. */
const confirmTime = 3_000;

/** One line for each recording that was not saved: of several ports, after a crash, or when the disk was full. */
export function RecordingStrips() {
  const files = useUnsavedRecordings();
  const failed = useBenchStatus((view) => view.recording.state === 'failed');
  useEffect(() => {
    if (failed) {
      void collectFailedRecording();
    }
  }, [failed]);
  return files.map((file) => <RecordingStrip key={file.name} file={file} />);
}

function RecordingStrip({ file: { name, size } }: { readonly file: RecordedFile }) {
  const [sure, setSure] = useState(false);
  useEffect(() => {
    if (sure) {
      const timer = setTimeout(() => setSure(false), confirmTime);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [sure]);
  return (
    <div className={styles['strip']}>
      <Disc />
      <span>
        <b>A recording has not been saved.</b> {name}, {amount(size)}
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={() => void saveRecording(name)}>
          Save
        </Button>
        <Button
          size="sm"
          variant={sure ? 'danger' : 'quiet'}
          onClick={() => (sure ? void deleteRecording(name) : setSure(true))}
        >
          {sure ? 'Delete permanently?' : 'Delete'}
        </Button>
      </span>
    </div>
  );
}
