import { type FamilyId, familyBuilds, familyTraits } from '@wirebench/boards';
import { elfText } from '@wirebench/contract';
import { FileCode2, FileUp, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { memoryText, sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import styles from './elf-field.module.css';
import rowStyles from './file-row-fields.module.css';

export interface ElfFieldProps {
  /** Null: no file is chosen. */
  readonly file: File | null;
  /** Reason why the last chosen file was refused; null if it was accepted. */
  readonly refusal: string | null;
  readonly family: FamilyId;
  readonly onChange: (file: File | null, refusal: string | null) => void;
  readonly disabled?: boolean;
}

/** Checks an ELF file before its upload. The server checks it again. */

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];
/** `e_type` (System V ABI, "ELF Header"). */
const CORE_FILE = 4;
/** Names of `e_machine`. Crashes of an AVR are not decoded. */
const machineNames: Readonly<Record<number, string>> = { 94: 'Xtensa', 243: 'RISC-V', 40: 'Arm' };
const AVR_MACHINE = 83;

/**
 * Returns the server's text of a refusal; null if it would accept the file.
 * @param most Limit in bytes.
 */
async function elfFault(file: File, family: FamilyId, most: number): Promise<string | null> {
  if (file.size > most) {
    return elfText.tooLarge(file.name, most);
  }
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, 20).arrayBuffer());
  } catch {
    return `"${file.name}" could not be read. Choose it again.`;
  }
  if (head.length < 20 || ELF_MAGIC.some((byte, index) => head[index] !== byte)) {
    return elfText.notElf(file.name);
  }
  if (head[16] === CORE_FILE) {
    return elfText.coreFile(file.name);
  }
  const machine = head[18] ?? 0;
  if (machine === AVR_MACHINE) {
    return elfText.avr(file.name);
  }
  return familyBuilds[family].elfMachines.includes(machine)
    ? null
    : elfText.notForDevice(file.name, machineNames[machine] ?? 'another processor');
}

/**
 * Field for the ELF file of a program. A file that the server would refuse is not accepted, and the reason is shown.
 * Renders nothing for AVRs, whose programs print no crashes that could be decoded.
 */
export function ElfField({ file, refusal, family, onChange, disabled = false }: ElfFieldProps) {
  const { elfSize } = useServerLimits();
  const hintId = useId();
  const field = useRef<HTMLInputElement>(null);
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
  if (elfSize === 0 || !familyTraits[family].hasElf) {
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
            data-elf-refused={refusal === null ? undefined : ''}
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
