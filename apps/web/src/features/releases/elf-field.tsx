import type { DeviceFamily } from '@wirebench/contract';
import { FileCode2, FileUp, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { FieldError } from '../../shared/ui/field-error.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { sizeText } from '../../workbench/flasher/quantities.ts';
import styles from './elf-field.module.css';
import rowStyles from './file-row-fields.module.css';
import { elfFault } from './model/elf-file.ts';

export interface ElfFieldProps {
  /** Null while none is chosen. */
  readonly file: File | null;
  readonly family: DeviceFamily;
  readonly onChange: (file: File | null) => void;
  readonly disabled?: boolean;
}

const MEGABYTE = 1_024 * 1_024;

/** Chooses the ELF file of a program. One that the server would refuse is not taken, and the reason is said. */
export function ElfField({ file, family, onChange, disabled = false }: ElfFieldProps) {
  const { elfSize } = useServerLimits();
  const [fault, setFault] = useState<string | null>(null);
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  /** A file that was chosen while an earlier one was still looked at is the one that counts. */
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current++;
    },
    [],
  );
  const choose = async (chosen: File) => {
    const mine = ++turn.current;
    const found = await elfFault(chosen, family, elfSize);
    if (mine === turn.current) {
      setFault(found);
      if (found === null) {
        onChange(chosen);
      }
    }
  };
  if (elfSize === 0) {
    return null;
  }
  return (
    <div className={styles['field']}>
      <span className="silk">ELF file (optional)</span>
      <div className={styles['row']}>
        <label className={classNames('row', rowStyles['file'], file === null && rowStyles['empty'])}>
          <input
            ref={input}
            type="file"
            className={rowStyles['input']}
            disabled={disabled}
            aria-label={file === null ? 'ELF file: choose a file' : `ELF file: ${file.name}, replace`}
            aria-describedby={hintId}
            onChange={(event) => {
              const [chosen] = Array.from(event.currentTarget.files ?? []);
              // The same file can be chosen again.
              event.currentTarget.value = '';
              if (chosen !== undefined) {
                void choose(chosen);
              }
            }}
          />
          {file === null ? <FileUp /> : <FileCode2 />}
          <span className={`ellipsis ${rowStyles['name']}`}>{file === null ? 'Choose an .elf file' : file.name}</span>
          {file === null ? null : <span className={rowStyles['size']}>{sizeText(file.size)}</span>}
        </label>
        {file === null ? null : (
          <IconButton
            label={`Remove ${file.name}`}
            variant="quiet"
            icon={<X />}
            disabled={disabled}
            onClick={() => {
              turn.current++;
              setFault(null);
              onChange(null);
              input.current?.focus();
            }}
          />
        )}
      </div>
      <p id={hintId} className="small">
        Only you can read it. It turns addresses of crashes into lines. Up to {Math.floor(elfSize / MEGABYTE)} MB.
      </p>
      <div role="alert">{fault === null ? null : <FieldError>{fault}</FieldError>}</div>
    </div>
  );
}
