import { firmwareEndings } from '@wirebench/contract';
import { FileCode2, FileUp, X } from 'lucide-react';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import type { FileFacts } from './file-facts.ts';
import styles from './file-row-fields.module.css';
import type { ShownRow } from './version-draft.ts';

export interface FileRowFieldsProps {
  readonly row: ShownRow;
  /** Ends of the names of accepted files, such as `.bin`. */
  readonly accept?: string;
  /** Label of an empty row. */
  readonly hint?: string;
  /** Position in the form, from 1. */
  readonly number: number;
  readonly onChoose: (files: readonly File[]) => void;
  readonly onOffset: (offset: string) => void;
  /** Null for the empty row, which cannot be removed. */
  readonly onRemove: (() => void) | null;
}

/** Props of a row for files of all formats. */
export const acceptAll = { accept: Object.values(firmwareEndings).flat().join(','), hint: 'Choose a file' } as const;

/** Returns the kind of the file and the source of its offset. */
function aboutText({ what, why, offset }: FileFacts, suggested: boolean): string {
  if (offset === null && suggested) {
    return `${what}. The offset is the usual one for its name and chip.`;
  }
  return suggested ? `${what}. ${why}` : `${what}.`;
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** A file and its offset. Below: the kind of the file and the reason for the offset. */
export function FileRowFields(props: FileRowFieldsProps) {
  const { row, accept = '.bin', hint = 'Choose a .bin file', number, onChoose, onOffset, onRemove } = props;
  const { file, offset, suggested, likelyOffset, hasAddresses, facts } = row;
  const name = file?.name ?? `file ${number}`;
  return (
    <div className={styles['row']}>
      <label className={classNames('row', styles['file'], file === null && styles['empty'])}>
        <input
          type="file"
          accept={accept}
          multiple
          className={styles['input']}
          aria-label={file === null ? `File ${number}: ${lowerFirst(hint)}` : `File ${number}: ${file.name}, replace`}
          onChange={(event) => {
            const { files } = event.currentTarget;
            onChoose(Array.from(files ?? []));
            // Allows the user to choose the same file again.
            event.currentTarget.value = '';
          }}
        />
        {file === null ? <FileUp /> : <FileCode2 />}
        <span className={`ellipsis ${styles['name']}`}>{file === null ? hint : file.name}</span>
        {file === null ? null : <span className={styles['size']}>{sizeText(file.size)}</span>}
      </label>
      {hasAddresses ? (
        <span className={styles['own']}>has its addresses</span>
      ) : (
        <TextInput
          mono
          aria-label={`Offset of ${name}`}
          placeholder="0x"
          autoComplete="off"
          spellCheck={false}
          value={offset}
          onChange={(event) => onOffset(event.currentTarget.value)}
        />
      )}
      {onRemove === null ? (
        <span />
      ) : (
        <IconButton label={`Remove ${name}`} variant="quiet" icon={<X />} onClick={onRemove} />
      )}
      {likelyOffset === null ? null : (
        <p className={`row ${styles['likely']}`}>
          The offset has no 0x prefix.
          <Button size="sm" onClick={() => onOffset(likelyOffset)}>
            Use {likelyOffset}
          </Button>
        </p>
      )}
      {file === null || hasAddresses ? null : (
        <p className={`small ${styles['about']}`}>{facts === null ? null : aboutText(facts, suggested)}</p>
      )}
    </div>
  );
}
