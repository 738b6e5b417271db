import type { DeviceFamily } from '@wirebench/contract';
import { FileCode2, FileUp, X } from 'lucide-react';
import { type Ref, useEffect, useId, useImperativeHandle, useRef } from 'react';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { memoryText, sizeText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { FieldError } from '../../shared/ui/field-error.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './elf-field.module.css';
import rowStyles from './file-row-fields.module.css';
import { elfFault } from './model/elf-file.ts';

export interface ElfFieldProps {
  /** Null: no file is chosen. */
  readonly file: File | null;
  /** Reason why the last chosen file was refused; null if it was accepted. */
  readonly refusal: string | null;
  readonly family: DeviceFamily;
  readonly onChange: (file: File | null, refusal: string | null) => void;
  /** Ref of the input for choosing another file. */
  readonly input?: Ref<HTMLInputElement>;
  readonly disabled?: boolean;
}

/**
 * Field for the ELF file of a program. A file that the server would refuse is not accepted, and the reason is shown.
 * Renders nothing for AVRs, whose programs print no crashes that could be decoded.
 */
export function ElfField({ file, refusal, family, onChange, input, disabled = false }: ElfFieldProps) {
  const { elfSize } = useServerLimits();
  const hintId = useId();
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(input, () => field.current as HTMLInputElement);
  /** Identifies the latest choice, because an earlier file may still be checked. */
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current++;
    },
    [],
  );
  const choose = async (chosen: File) => {
    const mine = ++turn.current;
    if (refusal !== null) {
      // Clears the refusal of the previous file while this one is checked.
      onChange(file, null);
    }
    const found = await elfFault(chosen, family, elfSize);
    if (mine === turn.current) {
      onChange(found === null ? chosen : file, found);
    }
  };
  if (elfSize === 0 || family === 'avr') {
    return null;
  }
  return (
    <div className={styles['field']}>
      <span className="silk">ELF file (optional)</span>
      <div className={styles['row']}>
        <label className={classNames('row', rowStyles['file'], file === null && rowStyles['empty'])}>
          <input
            ref={field}
            type="file"
            className={rowStyles['input']}
            disabled={disabled}
            aria-label={file === null ? 'ELF file: choose a file' : `ELF file: ${file.name}, replace`}
            aria-describedby={hintId}
            onChange={(event) => {
              const [chosen] = Array.from(event.currentTarget.files ?? []);
              // Allows the user to choose the same file again.
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
              onChange(null, null);
              field.current?.focus();
            }}
          />
        )}
      </div>
      <p id={hintId} className="small">
        Only you can read it. It turns addresses of crashes into lines. Up to {memoryText(elfSize)}.
      </p>
      <div role="alert">{refusal === null ? null : <FieldError>{refusal}</FieldError>}</div>
      {refusal === null ? null : (
        <div>
          <Button
            size="sm"
            disabled={disabled}
            onClick={() => {
              onChange(file, null);
              field.current?.focus();
            }}
          >
            {file === null ? 'Continue without an ELF file' : `Keep ${file.name}`}
          </Button>
        </div>
      )}
    </div>
  );
}
