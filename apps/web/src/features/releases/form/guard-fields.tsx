import { type DeviceModel, familyBuilds, familyOf, familyTraits, modelName } from '@wirebench/boards';
import { allOf, guardTexts } from '@wirebench/flasher/release/builds';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { sentGuards } from './build-drafts.ts';
import styles from './guard-fields.module.css';
import type { DraftGuards } from './version-draft.ts';

export interface GuardFieldsProps {
  readonly deviceModel: DeviceModel | '';
  readonly guards: DraftGuards;
  /** Fault of the revision; null for none. */
  readonly fault: string | null;
  readonly onChange: (change: Partial<DraftGuards>) => void;
}

/**
 * Requirements of a build besides its chip, folded below one line that says them. The flashers read them from
 * Espressif chips, flash and connection from STM32 chips and Nordic boards. A Nordic board without a secure bootloader
 * does not report its flash, so that the person there confirms the build. The chip of an AVR tells its flash.
 */
export function GuardFields({ deviceModel, guards, fault, onChange }: GuardFieldsProps) {
  const family = familyOf(deviceModel);
  if (deviceModel === '' || family === null || familyBuilds[family].flashSizes.length === 0) {
    return null;
  }
  const phrases = guardTexts(sentGuards(guards));
  const name = modelName(deviceModel);
  const { flashSize, psram, minRevision, connection } = guards;
  const { flashSizes: sizes } = familyBuilds[family];
  const flashSizes = flashSize === null || sizes.includes(flashSize) ? sizes : [flashSize, ...sizes];
  return (
    <details className={styles['guards']}>
      <summary>{phrases.length === 0 ? `For every ${name} board` : `Only for boards with ${allOf(phrases)}`}</summary>
      <div className={styles['fields']}>
        <Field label="Flash">
          {(ids) => (
            <Select
              {...ids}
              value={flashSize ?? ''}
              onChange={({ currentTarget: { value } }) => onChange({ flashSize: value === '' ? null : Number(value) })}
            >
              <option value="">Any size</option>
              {flashSizes.map((size) => (
                <option key={size} value={size}>
                  At least {memoryText(size)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {familyTraits[family].hasChipGuards ? (
          <>
            <Field label="PSRAM">
              {(ids) => (
                <Select
                  {...ids}
                  value={psram === null ? '' : String(psram)}
                  onChange={({ currentTarget: { value } }) =>
                    onChange({ psram: value === '' ? null : value === 'true' })
                  }
                >
                  <option value="">With or without</option>
                  <option value="true">With PSRAM</option>
                  <option value="false">Without PSRAM</option>
                </Select>
              )}
            </Field>
            <Field label="Minimum revision" error={fault}>
              {(ids) => (
                <TextInput
                  {...ids}
                  mono
                  placeholder="Any, or 3.1"
                  autoComplete="off"
                  spellCheck={false}
                  value={minRevision}
                  onChange={({ currentTarget: { value } }) => onChange({ minRevision: value })}
                />
              )}
            </Field>
          </>
        ) : null}
        <Field label="Connection">
          {(ids) => (
            <Select
              {...ids}
              value={connection ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange({ connection: value === 'usb' || value === 'uart' ? value : null })
              }
            >
              <option value="">USB or UART</option>
              <option value="usb">USB of the chip</option>
              <option value="uart">UART</option>
            </Select>
          )}
        </Field>
      </div>
    </details>
  );
}
