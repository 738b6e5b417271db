import { type Project, releaseText } from '@wirebench/contract';
import { Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useVersionDraft } from '../form/drafts-store.ts';
import { useUser } from '../use-user.ts';
import { passFocus } from './pass-focus.ts';
import { VersionRow } from './version-row.tsx';
import styles from './version-table.module.css';

export interface VersionTableProps {
  readonly project: Project;
}

/** The form is most of the page's script, and few visits open it. */
const loadForm = async () => (await import('../form/add-version-form.tsx')).AddVersionForm;

/** The versions of a project, newest first, with the form for a new one. */
export function VersionTable({ project }: VersionTableProps) {
  const { _id: id, name, versions } = project;
  const formId = useId();
  const limit = useServerLimits().versions;
  const form = useVersionDraft(useUser(), id);
  const addButton = useRef<HTMLButtonElement>(null);
  const discard = () => passFocus(form.discard, () => addButton.current);
  const cancel = (done: string) =>
    passFocus(
      () => form.cancel(done),
      () => addButton.current,
    );
  const AddVersionForm = useLoaded(form.open, loadForm, () => form.setOpen(false));
  return (
    <div className={styles['versions']}>
      <div className={`row ${styles['head']}`}>
        <h3 className="silk">Versions</h3>
        <span className={`num small ${styles['used']}`}>
          {versions.length} of {limit} used
        </span>
        <span className={styles['buttons']}>
          <Button
            ref={addButton}
            size="sm"
            variant={versions.length === 0 && !form.open ? 'primary' : 'default'}
            icon={<Plus />}
            pressed={form.open}
            aria-expanded={form.open}
            aria-controls={form.open ? formId : undefined}
            onClick={() => form.setOpen(!form.open)}
          >
            Add version
          </Button>
        </span>
      </div>
      {form.open && form.isEmpty && versions.length >= limit ? (
        // The form keeps text that was typed before the last slot was taken.
        <div id={formId} className={styles['none']}>
          <Notice level="error" title={releaseText.versionLimit(limit)} />
        </div>
      ) : form.open ? (
        AddVersionForm && (
          <AddVersionForm
            id={formId}
            project={project}
            form={{ ...form, cancel }}
            onCreated={({ version }) => {
              discard();
              toast(`Version ${version} created`);
            }}
          />
        )
      ) : null}
      {versions.length === 0 ? (
        <p className={styles['none']}>
          {form.open
            ? 'The first version of this project.'
            : `No versions yet. Add one so that ${name} can be flashed.`}
        </p>
      ) : (
        <ul>
          {versions.map((version) => (
            <VersionRow key={version._id} project={project} version={version} />
          ))}
        </ul>
      )}
    </div>
  );
}
