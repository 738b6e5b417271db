/** Files that MicroPython or CircuitPython keeps in flash, once a person opens them. Edits are a planned change. */
import type { FileSystemPlace } from '@wirebench/flasher/rp';
import type { PortNumber } from '@wirebench/serial';
import { NotRead, ReadBefore, readPlace, useReadOnce, useReadOutdated } from '../../../board/opened-place.tsx';
import { useLocked } from '../../../board/use-can-read.ts';
import { FilesView } from '../../../files-on-board/files-view.tsx';
import type { FilesDraft } from '../../../files-on-board/planned-files.ts';
import { type PlannedChange, setChange, useChanges } from '../../../store/board-changes.ts';
import { useBoardContents } from '../../../store/board-contents.ts';
import styles from './files-in-flash.module.css';

export interface FilesInFlashProps {
  readonly port: PortNumber;
  readonly place: FileSystemPlace;
}

export function FilesInFlash({ port, place }: FilesInFlashProps) {
  const { entries } = useBoardContents(port);
  const read = entries.get(place.offset);
  const contents = read?.bytes.length === place.size ? read : undefined;
  const planned = useChanges(port).find(({ change }) => change.range.offset === place.offset);
  const locked = useLocked();
  useReadOnce(port, place, contents === undefined);
  const known = planned?.change.name ?? null;
  const plan = (change: PlannedChange<FilesDraft> | null) => {
    // A change of the files may have changed the name of their place.
    if (known !== null && known !== change?.change.name) {
      setChange(port, known, null);
    }
    if (change !== null) {
      setChange(port, change.change.name, change);
    }
  };
  useReadOutdated(known, () => void readPlace(port, place));
  return (
    <section className={styles['files']} aria-label={place.name}>
      {contents === undefined ? (
        <NotRead port={port} place={place} />
      ) : (
        <>
          <FilesView
            partition={place}
            contents={contents.bytes}
            md5={contents.md5}
            draft={(planned?.draft ?? null) as FilesDraft | null}
            locked={locked}
            family={{ formats: [place.kind], wearLevelling: false, word: 'file system' }}
            onChange={plan}
          />
          <ReadBefore port={port} place={place} />
        </>
      )}
    </section>
  );
}
