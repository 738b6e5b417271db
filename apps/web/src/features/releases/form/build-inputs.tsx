import { FileArchive, FolderUp } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './build-inputs.module.css';
import { entriesOfFiles } from './dropped-entries.ts';
import type { ChosenFiles } from './use-chosen-files.ts';

/** An attribute that React's types lack. All browsers support it. */
const wholeFolder = { webkitdirectory: '' };

export interface BuildInputsProps {
  readonly headingId: string;
  readonly heading: string;
  readonly chosen: Pick<ChosenFiles, 'reading' | 'drop'>;
  /** Ref of the first button. */
  readonly button?: Ref<HTMLButtonElement>;
}

/** Heading of the files, with buttons that read the output of a build: a folder, or a zip and its list. */
export function BuildInputs({ headingId, heading, chosen: { reading, drop }, button }: BuildInputsProps) {
  const folderInput = useRef<HTMLInputElement>(null);
  const archiveInput = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement, isFolder: boolean) => {
    void drop(Promise.resolve(entriesOfFiles(input.files ?? [])), isFolder);
    // Allows the user to choose the same files again.
    input.value = '';
  };
  return (
    <div className={styles['head']}>
      <span id={headingId} className="silk">
        {heading}
      </span>
      <span className={styles['buttons']}>
        <Button
          ref={button}
          size="sm"
          variant="quiet"
          icon={<FolderUp />}
          busy={reading}
          onClick={() => folderInput.current?.click()}
        >
          {reading ? 'Reading the build…' : 'Choose a build folder'}
        </Button>
        {reading ? null : (
          <Button size="sm" variant="quiet" icon={<FileArchive />} onClick={() => archiveInput.current?.click()}>
            Choose a zip
          </Button>
        )}
      </span>
      <input
        ref={folderInput}
        type="file"
        {...wholeFolder}
        multiple
        hidden
        aria-label="Build folder"
        onChange={({ currentTarget }) => take(currentTarget, true)}
      />
      <input
        ref={archiveInput}
        type="file"
        accept=".zip"
        multiple
        hidden
        aria-label="Zip of builds"
        onChange={({ currentTarget }) => take(currentTarget, true)}
      />
    </div>
  );
}
