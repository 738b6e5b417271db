import { type DeviceModel, type FamilyId, familyIds, modelName } from '@wirebench/boards';
import { Copy, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { type BuildFaults, changeBuild, type ShownBuild, setModel } from './build-drafts.ts';
import styles from './build-fields.module.css';
import { ElfField } from './elf-field.tsx';
import { acceptAll, FileRowFields } from './file-row-fields.tsx';
import { GuardFields } from './guard-fields.tsx';
import { ModelOptions } from './model-options.tsx';
import { removeRow, setOffset, type VersionDraft } from './version-draft.ts';

/** A build with everything that was found about it. */
export interface CheckedBuildDraft {
  readonly build: ShownBuild;
  readonly faults: BuildFaults;
  /** Faults of the contents of its files, one sentence each. */
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

export interface BuildFieldsProps extends CheckedBuildDraft {
  /** Family of the project, whose chips come first. */
  readonly family: FamilyId;
  /** Position in the form, from 1. */
  readonly number: number;
  readonly onChoose: (rowId: number, files: readonly File[]) => void;
  readonly onChange: (change: (draft: VersionDraft) => VersionDraft) => void;
  /** Null at the limit of builds. */
  readonly onCopy: (() => void) | null;
  readonly onRemove: () => void;
}

/** One build: chip, files, and the boards that it is for. */
export function BuildFields(props: BuildFieldsProps) {
  const { build, faults, refusals, warnings, family, number, onChoose, onChange, onCopy, onRemove } = props;
  const { id, deviceModel, guards, shown, elf, elfRefusal, target } = build;
  const faultId = useId();
  const name = deviceModel === '' ? `build ${number}` : modelName(deviceModel);
  const texts = [...new Set([...(faults.files === null ? [] : [faults.files]), ...refusals])];
  return (
    <fieldset
      className={styles['build']}
      aria-label={`Build ${number}${deviceModel === '' ? '' : `: ${name}`}`}
      aria-describedby={texts.length === 0 ? undefined : faultId}
    >
      <div className={styles['top']}>
        <Field label="Chip" layout="left" error={faults.model}>
          {(ids) => (
            <Select
              {...ids}
              data-chip=""
              mono
              value={deviceModel}
              onChange={(event) => {
                const value = event.currentTarget.value as DeviceModel | '';
                onChange((before) => setModel(before, id, value));
              }}
            >
              <option value="">Choose a chip</option>
              <ModelOptions families={[family, ...familyIds.filter((other) => other !== family)]} />
            </Select>
          )}
        </Field>
        <span className={styles['actions']}>
          {onCopy === null ? null : (
            <IconButton label={`Copy ${name} for other boards`} variant="quiet" icon={<Copy />} onClick={onCopy} />
          )}
          <IconButton label={`Remove ${name}`} variant="quiet" icon={<Trash2 />} onClick={onRemove} />
        </span>
      </div>
      {shown.map((row, index) => (
        <FileRowFields
          key={row.id}
          row={row}
          {...acceptAll}
          number={index + 1}
          onChoose={(files) => onChoose(row.id, files)}
          onOffset={(offset) =>
            onChange((before) => changeBuild(before, id, (rows) => setOffset(rows, row.id, offset)))
          }
          onRemove={
            row.file === null && row.typedOffset === null
              ? null
              : () => onChange((before) => changeBuild(before, id, (rows) => removeRow(rows, row.id)))
          }
        />
      ))}
      <div id={faultId} role="alert">
        {texts.map((text) => (
          <FieldError key={text}>{text}</FieldError>
        ))}
      </div>
      {warnings.length === 0 ? null : <Notice level="warning" title={warnings.join(' ')} />}
      <ElfField
        file={elf}
        refusal={elfRefusal}
        family={target.deviceFamily}
        onChange={(chosen, refusal) =>
          onChange((before) => changeBuild(before, id, (rows) => ({ ...rows, elf: chosen, elfRefusal: refusal })))
        }
      />
      <GuardFields
        deviceModel={deviceModel}
        guards={guards}
        fault={faults.revision}
        onChange={(change) =>
          onChange((before) => changeBuild(before, id, (rows) => ({ ...rows, guards: { ...rows.guards, ...change } })))
        }
      />
    </fieldset>
  );
}
