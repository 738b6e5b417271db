import { releaseLimits } from '@wirebench/contract';
import type { RefObject } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { TextArea, TextInput } from '../../../shared/ui/text-input.tsx';
import type { VersionDraft } from './version-draft.ts';
import styles from './version-text-fields.module.css';

export interface VersionTextFieldsProps {
  /** True: the number is the one that the files state. */
  readonly isFilled: boolean;
  readonly draft: Pick<VersionDraft, 'version' | 'description'>;
  /** Fault of each field; null for a valid one. */
  readonly faults: { readonly version: string | null; readonly description: string | null };
  readonly numberField: RefObject<HTMLInputElement | null>;
  readonly descriptionField: RefObject<HTMLTextAreaElement | null>;
  readonly onChange: (change: (draft: VersionDraft) => VersionDraft) => void;
}

/** Number and description of a new version. */
export function VersionTextFields(props: VersionTextFieldsProps) {
  const { draft, isFilled, faults, numberField, descriptionField, onChange } = props;
  return (
    <div className={styles['texts']}>
      <Field label="Version" error={faults.version} hint={isFilled ? 'From the app in your files.' : undefined}>
        {(ids) => (
          <TextInput
            {...ids}
            ref={numberField}
            mono
            autoComplete="off"
            spellCheck={false}
            maxLength={releaseLimits.versionMaxLength}
            value={draft.version}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange((before) => ({ ...before, version: value }));
            }}
          />
        )}
      </Field>
      <Field
        label="Description"
        error={faults.description}
        hint="What is new. Markdown: **bold**, lists, `code`, links."
      >
        {(ids) => (
          <TextArea
            {...ids}
            ref={descriptionField}
            rows={2}
            className={styles['description']}
            maxLength={releaseLimits.descriptionMaxLength}
            value={draft.description}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange((before) => ({ ...before, description: value }));
            }}
          />
        )}
      </Field>
    </div>
  );
}
