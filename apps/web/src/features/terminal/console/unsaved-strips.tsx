/** Strip about unsaved recordings: one with what can be done, or the way to the list of several. */
import { Disc } from 'lucide-react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import styles from '../../../workbench/strip.module.css';
import { type ListedRecording, showRecordingDialog } from './recording-store.ts';
import { deleteRecording, saveRecording } from './recordings.ts';

export interface UnsavedStripsProps {
  /** At least one. */
  readonly unsaved: readonly ListedRecording[];
}

export function UnsavedStrips({ unsaved }: UnsavedStripsProps) {
  const [only, ...others] = unsaved;
  return only === undefined || others.length > 0 ? (
    <ManyStrip unsaved={unsaved} />
  ) : (
    <OneStrip key={only.id} recording={only} />
  );
}

function OneStrip({ recording: { id, files, bytes } }: { readonly recording: ListedRecording }) {
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

function ManyStrip({ unsaved }: UnsavedStripsProps) {
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
