import { type Project, pullText, releaseLimits } from '@wirebench/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { usePullVersion } from '../calls/versions.ts';
import styles from './pull-dialog.module.css';

export interface PullDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Takes a version of the project from a manifest on the web. */
export function PullDialog(props: PullDialogProps) {
  return <PullForm key={useOpenings(props.open)} {...props} />;
}

function PullForm({ project, open, onClose }: PullDialogProps) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [manifest, setManifest] = useState('');
  const [version, setVersion] = useState('');
  const [missing, setMissing] = useState(false);
  const pulling = usePullVersion(project._id, {
    onSuccess: ({ version: number, description }) => {
      // The description names builds that were left out.
      const detail = `${description} It is private until you make it public.`;
      toast(`Version ${number} of ${project.name} is here`, { detail });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(manifest.trim() === '');
    if (manifest.trim() === '') {
      field.current?.focus();
    } else {
      pulling.mutate({ manifest: manifest.trim(), ...(version.trim() === '' ? {} : { version: version.trim() }) });
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={`Take a version into ${project.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={pulling.isPending}>
            Take the version
          </Button>
        </>
      }
    >
      <p>
        The server loads the files that a manifest lists and keeps the SHA-256 of each. The same version is never taken
        again with other contents.
      </p>
      <form id={formId} noValidate onSubmit={submit} className={styles['form']}>
        <Field label="Address of the manifest" error={missing ? pullText.addressMissing : null}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={field}
              type="url"
              mono
              autoComplete="off"
              placeholder="https://firmware.example/manifest.json"
              value={manifest}
              onChange={(event) => setManifest(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Version" hint="Empty: the newest. A manifest without version numbers needs one.">
          {(ids) => (
            <TextInput
              {...ids}
              autoComplete="off"
              maxLength={releaseLimits.versionMaxLength}
              value={version}
              onChange={(event) => setVersion(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
      {pulling.error === null ? null : (
        <Notice level="error" title="The version was not taken">
          {errorMessage(pulling.error)}
        </Notice>
      )}
    </Dialog>
  );
}
