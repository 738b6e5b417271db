import type { Project, Version } from '@wirebench/contract';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useSetPublic } from './calls/items.ts';
import { releaseFailureText } from './release-texts.ts';
import { VisibilityBadge } from './visibility-badge.tsx';

export interface VersionVisibilityProps {
  readonly project: Project;
  readonly version: Version;
}

/** While the project is private, the badge keeps its state but is locked, because the version is hidden in any case. */
export function VersionVisibility({ project, version }: VersionVisibilityProps) {
  const { _id: id, isPublic, version: number } = version;
  const what = `version ${number}`;
  const failure = releaseFailureText.toggle('version');
  const [asking, setAsking] = useState(false);
  const publish = useSetPublic('version', id, {
    onSuccess: () => toast(`Version ${number} is public`),
    onError: (error) => toast(failure, { level: 'error', detail: errorMessage(error) }),
  });
  const withdraw = useSetPublic('version', id, {
    onSuccess: () => {
      toast(`Version ${number} is private`);
      setAsking(false);
    },
  });
  const ask = () => {
    withdraw.reset();
    setAsking(true);
  };
  return (
    <>
      <VisibilityBadge
        isPublic={isPublic}
        what={what}
        busy={publish.isPending}
        locked={
          version.withheld !== undefined
            ? 'It was taken down and cannot be made public.'
            : project.isPublic
              ? null
              : `Make ${project.name} public first: while it is private, so are its versions.`
        }
        onToggle={() => (isPublic ? ask() : publish.mutate(true))}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make version ${number} private?`}
        text="People with its share link lose access, and the project link no longer shows it."
        word={{ text: number, label: 'Name' }}
        action="Make private"
        busy={withdraw.isPending}
        failure={withdraw.error && { title: failure, reason: errorMessage(withdraw.error) }}
        onConfirm={() => withdraw.mutate(false)}
      />
    </>
  );
}
