/** Asks if a version or its project becomes private, and says what happens to the link. */
import type { Project, Version } from '@wirebench/contract';
import { useId, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSetPublic } from '../calls/items.ts';
import { visitorsOf } from '../manager/visitors.ts';
import { releaseFailureText } from '../release-texts.ts';
import styles from './make-private-dialog.module.css';

export interface MakePrivateDialogProps {
  readonly project: Project;
  /** Version that visitors install now. */
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function MakePrivateDialog({ project, version, open, onClose }: MakePrivateDialogProps) {
  const group = useId();
  const [what, setWhat] = useState<'version' | 'project'>('version');
  const done = (name: string) => ({
    onSuccess: () => {
      toast(`${name} is private`);
      onClose();
    },
  });
  const ofVersion = useSetPublic('version', version._id, done(`Version ${version.version}`));
  const ofProject = useSetPublic('project', project._id, done(project.name));
  const call = what === 'version' ? ofVersion : ofProject;
  const others = { ...project, versions: project.versions.filter((each) => each !== version) };
  const next = visitorsOf(others).now;
  const answers = [
    { value: 'version', label: `Version ${version.version}` },
    { value: 'project', label: `The project ${project.name}, with all its versions` },
  ] as const;
  const choose = (value: 'version' | 'project') => {
    ofVersion.reset();
    ofProject.reset();
    setWhat(value);
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Make private?"
      text={
        what === 'version'
          ? `People with the link of version ${version.version} lose access. ${
              next === null
                ? 'The project link then says “No version published yet”.'
                : `The project link then installs ${next.version}.`
            }`
          : 'People with the share link lose access to the project and all its versions. The same links work again when you make it public again.'
      }
      word={{ text: what === 'version' ? version.version : project.name, label: 'Name' }}
      action="Make private"
      busy={call.isPending}
      failure={call.error && { title: releaseFailureText.toggle(what), reason: errorMessage(call.error) }}
      onConfirm={() => call.mutate(false)}
    >
      <fieldset className={styles['answers']} disabled={call.isPending}>
        <legend className="visually-hidden">What becomes private</legend>
        {answers.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name={group} checked={what === value} onChange={() => choose(value)} />
            {label}
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
