import { buildLimits, type Project, releaseLimits, releaseText, type Version } from '@wirebench/contract';
import type { ReleaseCheck, ReleaseFinding } from '@wirebench/flasher/release';
import { type AppVersion, otherAppVersions } from '@wirebench/flasher/release/builds';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { Answer } from '../../../shared/ui/answer.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import styles from './add-version-form.module.css';
import {
  addBuild,
  buildFaults,
  buildsFault,
  isSimpleForm,
  placedBuilds,
  type ShownBuild,
  simpleBuild,
  takesAllFormats,
  targetOf,
} from './build-drafts.ts';
import { CheckRow } from './check-row.tsx';
import { ConsoleFields, consoleFault } from './console-fields.tsx';
import type { DraftHandle } from './drafts-store.ts';
import { DroppedDraft } from './dropped-draft.tsx';
import { droppedEntries } from './dropped-entries.ts';
import { ElfField } from './elf-field.tsx';
import { FirmwareFiles } from './firmware-files.tsx';
import { appsOf, checkFiles, useReleaseCheck, useStatedVersion } from './release-check.ts';
import { UploadProgressBar } from './upload-progress-bar.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useCreation } from './use-creation.ts';
import { useFileFacts } from './use-file-facts.ts';
import { addressedFiles, draftFaults, filesFault, isFaultless, shownRows, type VersionDraft } from './version-draft.ts';
import { VersionTextFields } from './version-text-fields.tsx';

export interface AddVersionFormProps {
  readonly id: string;
  readonly project: Project;
  readonly form: DraftHandle<VersionDraft>;
  readonly onCreated: (version: Version) => void;
}

const loadBuildsFields = async () => (await import('./builds-fields.tsx')).BuildsFields;

const sentenceOf = ({ what, remedy }: ReleaseFinding): string => `${what} ${remedy}`;

/** Returns the builds of the draft with their rows. The simple form is one build for the project's model. */
function useShownBuilds(
  draft: VersionDraft,
  project: Project,
): readonly (ShownBuild & { readonly warnings: readonly string[] })[] {
  const hasBuilds = draft.builds.length > 0;
  const drafted = (hasBuilds ? draft.builds : [simpleBuild(draft, project)]).map((build) => ({
    ...build,
    target: targetOf(build, project),
  }));
  const read = useFileFacts(
    drafted.map(({ rows, target }) => ({ files: rows.flatMap(({ file }) => file ?? []), target })),
  );
  const maxFiles = hasBuilds ? buildLimits.files : releaseLimits.files;
  return drafted.map((build, index) => {
    const { byFile = new Map(), warnings = [] } = read[index] ?? {};
    const rows = { rows: build.rows, nextRowId: draft.nextRowId };
    return { ...build, shown: shownRows(rows, build.target, byFile, maxFiles), warnings };
  });
}

interface DamageDialogProps {
  /** The damaged files. Null: the dialog is closed. */
  readonly damage: readonly ReleaseFinding[] | null;
  /** Number of the version. */
  readonly version: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before damaged files are published. The user must type a word to confirm. */
function DamageDialog({ damage, version, onClose, onConfirm }: DamageDialogProps) {
  const found = damage ?? [];
  return (
    <ConfirmDialog
      open={damage !== null}
      onClose={onClose}
      title="Publish damaged firmware?"
      text={
        <>
          {found.map(({ what }) => what).join(' ')} Most boards will not start with {found.length === 1 ? 'it' : 'them'}
          , and the flasher refuses damaged files. Build the firmware again unless you know why it looks like this.
        </>
      }
      word={{ text: version, label: 'Name' }}
      action="Create version anyway"
      onConfirm={() => {
        onConfirm();
        onClose();
      }}
    />
  );
}

/**
 * Form for a new version: number, description, channel, files with offsets, and settings of the terminal. Enter creates
 * the version, and Escape cancels.
 */
export function AddVersionForm({ id, project, form, onCreated }: AddVersionFormProps) {
  const { draft, change, dropped, restore } = form;
  const discard = () => form.cancel('New version discarded');
  const headingId = useId();
  const numberField = useRef<HTMLInputElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const descriptionField = useRef<HTMLTextAreaElement>(null);
  const [checked, setChecked] = useState(false);
  const { step, last, start, cancel, forget } = useCreation(onCreated);
  const hasBuilds = draft.builds.length > 0;
  const builds = useShownBuilds(draft, project);
  const addressed = builds.map(({ shown, target }) => ({ files: addressedFiles(shown), target, isBuild: hasBuilds }));
  const checks = useReleaseCheck(addressed);
  const limits = useServerLimits();
  const ofBuilds = hasBuilds ? buildFaults(builds, project) : [];
  const together = hasBuilds ? buildsFault(builds, project, limits.builds) : null;
  const faults = draftFaults(draft, hasBuilds ? null : filesFault(builds[0]?.shown ?? []));
  const hasBuildFault =
    together !== null || ofBuilds.some((fault) => Object.values(fault).some((text) => text !== null));
  const [isMissing, setMissing] = useState(false);
  const Builds = useLoaded(hasBuilds && !isMissing, loadBuildsFields, () => setMissing(true));
  const [damage, setDamage] = useState<ReleaseCheck['damage'] | null>(null);
  /** Apps that say another version than the one that was typed. */
  const [apps, setApps] = useState<readonly AppVersion[]>([]);
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const [unreadable, setUnreadable] = useState(false);
  const busy = step !== null;
  // While a version is being created, the list may already contain it.
  const limit = limits.versions;
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
  const [filled, setFilled] = useState<string | null>(null);
  useStatedVersion(draft.version, addressed, (version) => {
    setFilled(version);
    edit((before) => ({ ...before, version }));
  });
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
    } else if (hasBuildFault) {
      // The first build with a fault. Its chip is its first field.
      const index = ofBuilds.findIndex((build) => Object.values(build).some((fault) => fault !== null));
      place.current?.querySelectorAll<HTMLElement>('[data-chip]')[index]?.focus();
    } else if (isFaultless(faults) && [draft, ...draft.builds].some(({ elfRefusal }) => elfRefusal !== null)) {
      // A chosen ELF file was refused. Publishing without it is the user's decision.
      place.current?.querySelector<HTMLElement>('[data-elf-refused]')?.focus();
    } else if (isFaultless(faults) && consoleFault(draft.console) === null) {
      void publish();
    }
  };
  /** Checks the files again, because some may not have been read yet. */
  const publish = async () => {
    setUnreadable(false);
    setAccepted([]);
    try {
      const found = await Promise.all(addressed.filter(({ files }) => files.length > 0).map(checkFiles));
      if (found.some(({ refusals }) => refusals.length > 0)) {
        return;
      }
      const damaged = found.flatMap((one) => one.damage);
      const stated = await Promise.all(addressed.map(appsOf));
      const differing = otherAppVersions(draft.version, stated.flat());
      setApps(differing);
      if (damaged.length > 0) {
        setDamage(damaged);
      } else if (differing.length === 0) {
        create([]);
      }
    } catch (error) {
      console.warn('The firmware files could not be read.', error);
      setUnreadable(true);
    }
  };
  /** Asks about app versions before it creates a version whose damage was accepted. */
  const create = (acceptDamaged: readonly string[]) => {
    const { version, description, channel, console } = draft;
    const texts = { version: version.trim(), description: description.trim() };
    const placed = { builds: placedBuilds(builds, project), isSimple: isSimpleForm(builds, project) };
    start({ projectId: project._id, ...texts, channel, console, ...placed, acceptDamaged }, limit, project);
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
            isFilled={filled !== null && draft.version === filled}
            draft={draft}
            faults={{
              version: last?.result === 'version-taken' ? last.text : checked ? faults.version : null,
              description: checked ? faults.description : null,
            }}
            numberField={numberField}
            descriptionField={descriptionField}
            onChange={edit}
          />
          <CheckRow
            label="Beta"
            hint="The link of the project shows a beta version only with &channel=beta at its end."
            checked={draft.channel === 'beta'}
            onChange={(isBeta) => edit((before) => ({ ...before, channel: isBeta ? 'beta' : 'stable' }))}
          />
          {hasBuilds ? (
            isMissing ? (
              <Notice
                level="error"
                title="The fields of the builds could not be loaded."
                action={
                  <Button size="sm" onClick={() => setMissing(false)}>
                    Try again
                  </Button>
                }
              />
            ) : Builds === null ? (
              <p role="status">Loading the builds…</p>
            ) : (
              <Builds
                project={project}
                chosen={chosen}
                limit={limits.builds}
                builds={builds.map((build, index) => ({
                  build,
                  faults: checked ? (ofBuilds[index] ?? noBuildFaults) : noBuildFaults,
                  refusals: [...(checks[index]?.refusals ?? []), ...(checks[index]?.damage ?? [])].map(sentenceOf),
                  warnings: (checks[index]?.warnings ?? []).map(sentenceOf),
                }))}
                faults={[...(together === null ? [] : [together]), ...(unreadable ? [unreadableText] : [])]}
                onChange={edit}
              />
            )
          ) : (
            <FirmwareFiles
              rows={builds[0]?.shown ?? []}
              all={takesAllFormats(project)}
              chosen={chosen}
              faults={[
                ...(checked && faults.files !== null ? [faults.files] : []),
                ...[...(checks[0]?.refusals ?? []), ...(checks[0]?.damage ?? [])].map(sentenceOf),
                ...(unreadable ? [unreadableText] : []),
              ]}
              warnings={[...(builds[0]?.warnings ?? []), ...(checks[0]?.warnings ?? []).map(sentenceOf)]}
              onChange={edit}
              onAddBuild={limits.builds > 1 ? () => edit((before) => addBuild(before, project)) : null}
            />
          )}
          {hasBuilds ? null : (
            <ElfField
              file={draft.elf}
              refusal={draft.elfRefusal}
              family={project.deviceFamily}
              onChange={(elf, elfRefusal) => edit((before) => ({ ...before, elf, elfRefusal }))}
            />
          )}
          <ConsoleFields console={draft.console} onChange={(console) => edit((before) => ({ ...before, console }))} />
        </fieldset>
        {full ? <Notice level="error" title={releaseText.versionLimit(limit)} /> : null}
        {last?.result === 'failed' ? (
          <Answer of={last} appears>
            <Notice level="error" title={last.text}>
              {last.mayBeStored
                ? 'The server may have stored it. Press Create version again: it finds out, and stores nothing twice.'
                : 'Nothing was stored, and what you typed is kept.'}
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
      <ConfirmDialog
        open={apps.length > 0 && damage === null}
        onClose={() => setApps([])}
        title={`Is this version ${draft.version.trim()}?`}
        text={`${apps.map(({ name, version }) => `The app in "${name}" says ${version}.`).join(' ')} Visitors read ${draft.version.trim()}, and the board says what its app says.`}
        action={`Create version ${draft.version.trim()}`}
        harmless
        onConfirm={() => {
          setApps([]);
          create(accepted);
        }}
      />
      {/* Outside of the form, because the form must not handle keys typed in the dialog. */}
      <DamageDialog
        damage={damage}
        version={draft.version.trim()}
        onClose={() => setDamage(null)}
        onConfirm={() => {
          const names = [...new Set((damage ?? []).flatMap(({ files }) => files))];
          setAccepted(names);
          if (apps.length === 0) {
            create(names);
          }
        }}
      />
    </>
  );
}

const noBuildFaults = { model: null, revision: null, files: null };
const unreadableText = 'The files could not be read. Choose them again.';
