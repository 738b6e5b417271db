import { buildLimits, releaseLimits } from '@wirebench/contract';
import { Plus } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { moveFocus } from '../manager/pass-focus.ts';
import { addBuild, copyBuild, type ProjectDevice, removeBuild } from './build-drafts.ts';
import { BuildFields, type CheckedBuildDraft } from './build-fields.tsx';
import { BuildInputs } from './build-inputs.tsx';
import { BuildNotes } from './build-notes.tsx';
import styles from './builds-fields.module.css';
import type { ChosenFiles } from './use-chosen-files.ts';
import type { VersionDraft } from './version-draft.ts';

export interface BuildsFieldsProps {
  readonly project: ProjectDevice;
  readonly builds: readonly CheckedBuildDraft[];
  readonly chosen: ChosenFiles;
  /** Faults of the builds together, one sentence each. */
  readonly faults: readonly string[];
  /** Maximum number of builds of this server. */
  readonly limit: number;
  readonly onChange: (change: (draft: VersionDraft) => VersionDraft) => void;
}

/** The builds of a version: for each its chip, its files, and the boards that it is for. */
export function BuildsFields({ project, builds, chosen, faults, limit, onChange }: BuildsFieldsProps) {
  const headingId = useId();
  const faultId = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const { refusal, output, choose } = chosen;
  const chipAt = (index: number) => place.current?.querySelectorAll<HTMLElement>('[data-chip]')[index] ?? null;
  // The simple form was replaced, and with it the focused button.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) {
      const chips = [...(place.current?.querySelectorAll<HTMLSelectElement>('[data-chip]') ?? [])];
      (chips.find(({ value }) => value === '') ?? chips[0])?.focus();
    }
  }, []);
  const texts = [...new Set([...faults, ...(refusal === null ? [] : [refusal])])];
  return (
    <fieldset
      ref={place}
      aria-labelledby={headingId}
      aria-describedby={texts.length === 0 ? undefined : faultId}
      className={styles['builds']}
    >
      <BuildInputs headingId={headingId} heading="Builds" chosen={chosen} />
      <BuildNotes output={output} />
      {builds.map((checked, index) => {
        const { id } = checked.build;
        return (
          <BuildFields
            key={id}
            {...checked}
            family={project.deviceFamily}
            number={index + 1}
            onChoose={(rowId, files) => choose(id, rowId, files)}
            onChange={onChange}
            onCopy={
              builds.length >= limit
                ? null
                : () =>
                    moveFocus(
                      () => onChange((before) => copyBuild(before, id)),
                      () => chipAt(index + 1),
                    )
            }
            onRemove={() =>
              moveFocus(
                () => onChange((before) => removeBuild(before, id, project)),
                () => chipAt(Math.max(0, index - 1)),
              )
            }
          />
        );
      })}
      <div className={styles['below']}>
        <p className="small">
          {builds.length} of {limit} builds, each with up to {buildLimits.files} files of{' '}
          {memoryText(releaseLimits.fileSize)}. Drop folders and zips of other builds here.
        </p>
        {builds.length >= limit ? null : (
          <Button
            size="sm"
            variant="quiet"
            icon={<Plus />}
            onClick={() =>
              moveFocus(
                () => onChange((before) => addBuild(before, project)),
                () => chipAt(builds.length),
              )
            }
          >
            Add a build
          </Button>
        )}
      </div>
      <div id={faultId} role="alert">
        {texts.map((text) => (
          <FieldError key={text}>{text}</FieldError>
        ))}
      </div>
    </fieldset>
  );
}
