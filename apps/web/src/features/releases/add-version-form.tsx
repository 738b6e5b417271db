import { type Project, releaseText, type Version } from '@wirebench/contract';
import type { ReleaseCheck, ReleaseFinding } from '@wirebench/flasher/release';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { useFileDrop } from '../../shared/files/use-file-drop.ts';
import { Answer } from '../../shared/ui/answer.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import styles from './add-version-form.module.css';
import { ConsoleFields, consoleFault } from './console-fields.tsx';
import { DamageDialog } from './damage-dialog.tsx';
import type { DraftHandle } from './drafts-store.ts';
import { DroppedDraft } from './dropped-draft.tsx';
import { droppedEntries } from './dropped-entries.ts';
import { ElfField } from './elf-field.tsx';
import { FirmwareFiles } from './firmware-files.tsx';
import {
  addressedFiles,
  draftFaults,
  isFaultless,
  placedFiles,
  shownRows,
  type VersionDraft,
} from './model/version-draft.ts';
import { checkFiles, useReleaseCheck } from './release-check.ts';
import { UploadProgressBar } from './upload-progress-bar.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useCreation } from './use-creation.ts';
import { useFileFacts } from './use-file-facts.ts';
import { VersionTextFields } from './version-text-fields.tsx';

export interface AddVersionFormProps {
  readonly id: string;
  readonly project: Project;
  readonly form: DraftHandle<VersionDraft>;
  readonly onCreated: (version: Version) => void;
}

const sentenceOf = ({ what, remedy }: ReleaseFinding): string => `${what} ${remedy}`;

/**
 * Form for a new version: number, description, files with offsets, and settings of the terminal. Enter creates the
 * version, and Escape cancels.
 */
export function AddVersionForm({ id, project, form, onCreated }: AddVersionFormProps) {
  const { draft, change, dropped, restore } = form;
  const discard = () => form.cancel('New version discarded');
  const headingId = useId();
  const numberField = useRef<HTMLInputElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const descriptionField = useRef<HTMLTextAreaElement>(null);
  const elfInput = useRef<HTMLInputElement>(null);
  const [checked, setChecked] = useState(false);
  const { step, last, start, cancel, forget } = useCreation(onCreated);
  const read = useFileFacts(draft.rows, project);
  const rows = shownRows(draft, project, read.byFile);
  const faults = draftFaults(draft, rows);
  const check = useReleaseCheck(addressedFiles(rows), project);
  const [damage, setDamage] = useState<ReleaseCheck['damage'] | null>(null);
  const [unreadable, setUnreadable] = useState(false);
  const busy = step !== null;
  // While a version is being created, the list may already contain it.
  const limit = useServerLimits().versions;
  const full = project.versions.length >= limit && !busy;
  useEffect(() => numberField.current?.focus(), []);
  // The fields are locked during the creation. The focus moves to a button inside the form, so that Escape and Enter
  // still reach it, and back afterwards.
  useEffect(() => {
    if (busy) {
      cancelButton.current?.focus();
    }
  }, [busy]);
  useEffect(() => {
    if (last?.result === 'version-taken') {
      numberField.current?.focus();
    } else if (last !== null) {
      submitButton.current?.focus();
    }
  }, [last]);

  const edit = (next: (draft: VersionDraft) => VersionDraft) => {
    change(next);
    forget();
  };
  const chosen = useChosenFiles(project, edit);
  const place = useRef<HTMLFormElement>(null);
  const over = useFileDrop({
    within: place,
    // Files cannot change while their version is being created.
    take: busy
      ? null
      : (transfer) => {
          const { entries, hasFolder } = droppedEntries(transfer);
          void chosen.drop(entries, hasFolder);
        },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (busy || full) {
      return;
    }
    if (faults.version !== null) {
      numberField.current?.focus();
    } else if (faults.description !== null) {
      descriptionField.current?.focus();
    } else if (isFaultless(faults) && draft.elfRefusal !== null) {
      // The chosen ELF file was refused. Publishing without it is the user's decision.
      elfInput.current?.focus();
    } else if (isFaultless(faults) && consoleFault(draft.console) === null) {
      void publish();
    }
  };
  /** Checks the files again, because some may not have been read yet. */
  const publish = async () => {
    setUnreadable(false);
    try {
      const found = await checkFiles(addressedFiles(rows), project);
      if (found.refusals.length > 0) {
        return;
      }
      if (found.damage.length > 0) {
        setDamage(found.damage);
      } else {
        create([]);
      }
    } catch (error) {
      console.warn('The firmware files could not be read.', error);
      setUnreadable(true);
    }
  };
  const create = (acceptDamaged: readonly string[]) => {
    const { version, description, console, elf } = draft;
    const texts = { version: version.trim(), description: description.trim() };
    start({ projectId: project._id, ...texts, console, files: placedFiles(rows), elf, acceptDamaged }, limit);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || step?.step === 'storing') {
      return;
    }
    event.preventDefault();
    if (busy) {
      cancel();
    } else {
      discard();
    }
  };

  return (
    <>
      <form
        ref={place}
        id={id}
        className={classNames(styles['form'], over && styles['over'])}
        aria-labelledby={headingId}
        noValidate
        onSubmit={submit}
        onKeyDown={onKeyDown}
      >
        <div className={styles['head']}>
          <h3 id={headingId}>New version</h3>
          <span className={`small ${styles['keys']}`}>
            <Kbd>Enter</Kbd> create <Kbd>Esc</Kbd> cancel
          </span>
        </div>
        <DroppedDraft dropped={dropped} onRestore={restore} />
        <fieldset disabled={busy} className={styles['fields']}>
          <VersionTextFields
            draft={draft}
            faults={{
              version: last?.result === 'version-taken' ? last.text : checked ? faults.version : null,
              description: checked ? faults.description : null,
            }}
            numberField={numberField}
            descriptionField={descriptionField}
            onChange={edit}
          />
          <FirmwareFiles
            rows={rows}
            chosen={chosen}
            faults={[
              ...(checked && faults.files !== null ? [faults.files] : []),
              ...[...check.refusals, ...check.damage].map(sentenceOf),
              ...(unreadable ? ['The files could not be read. Choose them again.'] : []),
            ]}
            warnings={[...read.warnings, ...check.warnings.map(sentenceOf)]}
            onChange={edit}
          />
          <ElfField
            file={draft.elf}
            refusal={draft.elfRefusal}
            family={project.deviceFamily}
            input={elfInput}
            onChange={(elf, elfRefusal) => edit((before) => ({ ...before, elf, elfRefusal }))}
          />
          <ConsoleFields console={draft.console} onChange={(console) => edit((before) => ({ ...before, console }))} />
        </fieldset>
        {full ? <Notice level="error" title={releaseText.versionLimit(limit)} /> : null}
        {last?.result === 'failed' ? (
          <Answer of={last} appears>
            <Notice level="error" title={last.text}>
              Nothing was stored, and what you typed is kept.
            </Notice>
          </Answer>
        ) : null}
        {step === null ? null : <UploadProgressBar step={step} what={`version ${draft.version.trim()}`} />}
        <div className={`buttons at-end ${styles['buttons']}`}>
          <span role="status">{last?.result === 'cancelled' ? 'Upload cancelled. Nothing was stored.' : null}</span>
          {step?.step === 'storing' ? null : (
            <Button ref={cancelButton} onClick={busy ? cancel : discard}>
              {busy ? 'Cancel upload' : 'Cancel'}
            </Button>
          )}
          <Button ref={submitButton} variant="primary" type="submit" busy={busy}>
            {busy ? 'Creating…' : 'Create version'}
          </Button>
        </div>
      </form>
      {/* Outside of the form, because the form must not handle keys typed in the dialog. */}
      <DamageDialog
        damage={damage}
        version={draft.version.trim()}
        onClose={() => setDamage(null)}
        onConfirm={() => create([...new Set((damage ?? []).flatMap(({ files }) => files))])}
      />
    </>
  );
}
