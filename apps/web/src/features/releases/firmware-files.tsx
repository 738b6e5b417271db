import { releaseLimits } from '@wirebench/contract';
import { FolderUp } from 'lucide-react';
import { useId, useRef } from 'react';
import { memoryText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FieldError } from '../../shared/ui/field-error.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { entriesOfFiles } from './dropped-entries.ts';
import { FileRowFields } from './file-row-fields.tsx';
import styles from './firmware-files.module.css';
import { removeRow, type ShownRow, setOffset, type VersionDraft } from './model/version-draft.ts';
import type { BuildOutput } from './read-build-output.ts';
import type { ChosenFiles } from './use-chosen-files.ts';

export interface FirmwareFilesProps {
  readonly rows: readonly ShownRow[];
  readonly chosen: ChosenFiles;
  /** Faults that prevent publishing, one sentence each. */
  readonly faults: readonly string[];
  /** Warnings about the files together, one sentence each. */
  readonly warnings: readonly string[];
  readonly onChange: (change: (draft: VersionDraft) => VersionDraft) => void;
}

/** An attribute that React's types lack. All browsers support it. */
const wholeFolder = { webkitdirectory: '' };

/**
 * The files of a version with their offsets. The user chooses them one by one, or drops files or the folder of a
 * build.
 */
export function FirmwareFiles({ rows, chosen, faults, warnings, onChange }: FirmwareFilesProps) {
  const headingId = useId();
  const faultId = useId();
  const folderInput = useRef<HTMLInputElement>(null);
  const { refusal, build, reading, choose, drop } = chosen;
  return (
    <fieldset
      aria-labelledby={headingId}
      aria-describedby={faults.length === 0 ? undefined : faultId}
      className={styles['files']}
    >
      <div className={styles['head']}>
        <span id={headingId} className="silk">
          Firmware files
        </span>
        <Button
          size="sm"
          variant="quiet"
          icon={<FolderUp />}
          busy={reading}
          onClick={() => folderInput.current?.click()}
        >
          {reading ? 'Reading the build…' : 'Choose a build folder'}
        </Button>
        <input
          ref={folderInput}
          type="file"
          {...wholeFolder}
          multiple
          hidden
          aria-label="Build folder"
          onChange={(event) => {
            const { files } = event.currentTarget;
            void drop(Promise.resolve(entriesOfFiles(files ?? [])), true);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {rows.map((row, index) => (
        <FileRowFields
          key={row.id}
          row={row}
          number={index + 1}
          onChoose={(files) => choose(row.id, files)}
          onOffset={(offset) => onChange((before) => setOffset(before, row.id, offset))}
          onRemove={
            row.file === null && row.typedOffset === null ? null : () => onChange((before) => removeRow(before, row.id))
          }
        />
      ))}
      <p className="small">
        Or drop .bin files or a build folder here. Up to {releaseLimits.files} files,{' '}
        {memoryText(releaseLimits.fileSize)} each.
      </p>
      <div id={faultId} role="alert">
        {[...new Set([...faults, refusal])].map((text) =>
          text === null ? null : <FieldError key={text}>{text}</FieldError>,
        )}
      </div>
      {warnings.length === 0 ? null : <Notice level="warning" title={warnings.join(' ')} />}
      <BuildNotes build={build} />
    </fieldset>
  );
}

/** Shows the notes of the build output, including the parts that did not fit. */
function BuildNotes({ build }: { readonly build: BuildOutput | null }) {
  if (build === null || (build.notes.length === 0 && build.list === null)) {
    return null;
  }
  const title = build.list === null ? undefined : `Filled in from ${build.list}.`;
  return (
    <Notice level={build.notes.length === 0 ? 'success' : 'warning'} title={title}>
      {build.notes.join(' ')}
    </Notice>
  );
}
