import { buildLimits, releaseLimits } from '@wirebench/contract';
import { Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useLostFocus } from '../../../shared/ui/use-lost-focus.ts';
import { BuildInputs } from './build-inputs.tsx';
import { BuildNotes } from './build-notes.tsx';
import { acceptAll, FileRowFields } from './file-row-fields.tsx';
import styles from './firmware-files.module.css';
import type { ChosenFiles } from './use-chosen-files.ts';
import { removeRow, type ShownRow, setOffset, type VersionDraft } from './version-draft.ts';

export interface FirmwareFilesProps {
  readonly rows: readonly ShownRow[];
  /** True: files of all formats are accepted. False: `.bin` alone. */
  readonly all: boolean;
  readonly chosen: ChosenFiles;
  /** Faults that prevent publishing, one sentence each. */
  readonly faults: readonly string[];
  /** Warnings about the files together, one sentence each. */
  readonly warnings: readonly string[];
  readonly onChange: (change: (draft: VersionDraft) => VersionDraft) => void;
  /** Turns the files into the first of several builds. Null: the server accepts one build only. */
  readonly onAddBuild: (() => void) | null;
}

/**
 * The files of a version of the simple form, with their offsets. The user chooses them one by one, or drops files or
 * the output of a build.
 */
export function FirmwareFiles({ rows, all, chosen, faults, warnings, onChange, onAddBuild }: FirmwareFilesProps) {
  const headingId = useId();
  const faultId = useId();
  const { refusal, output, choose } = chosen;
  const folderButton = useRef<HTMLButtonElement>(null);
  // The last but one build was removed, and with it the focused button.
  useLostFocus(folderButton);
  return (
    <fieldset
      aria-labelledby={headingId}
      aria-describedby={faults.length === 0 ? undefined : faultId}
      className={styles['files']}
    >
      <BuildInputs headingId={headingId} heading="Firmware files" chosen={chosen} button={folderButton} />
      {rows.map((row, index) => (
        <FileRowFields
          key={row.id}
          row={row}
          {...(all && acceptAll)}
          number={index + 1}
          onChoose={(files) => choose(null, row.id, files)}
          onOffset={(offset) => onChange((before) => setOffset(before, row.id, offset))}
          onRemove={
            row.file === null && row.typedOffset === null ? null : () => onChange((before) => removeRow(before, row.id))
          }
        />
      ))}
      <div className={styles['below']}>
        <p className="small">
          Or drop {all ? 'files' : '.bin files'}, a build folder or a zip here. Up to {releaseLimits.files} files, or a
          build of up to {buildLimits.files}, {memoryText(releaseLimits.fileSize)} each.
        </p>
        {onAddBuild === null ? null : (
          <Button size="sm" variant="quiet" icon={<Plus />} onClick={onAddBuild}>
            Add a build for other boards
          </Button>
        )}
      </div>
      <div id={faultId} role="alert">
        {[...new Set([...faults, refusal])].map((text) =>
          text === null ? null : <FieldError key={text}>{text}</FieldError>,
        )}
      </div>
      {warnings.length === 0 ? null : <Notice level="warning" title={warnings.join(' ')} />}
      <BuildNotes output={output} />
    </fieldset>
  );
}
