import type { Project } from '@wirebench/contract';
import { useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useSetPublic } from './calls/items.ts';
import { releaseFailureText } from './release-texts.ts';
import { usePublishProject } from './use-publish-project.ts';
import { VisibilityBadge } from './visibility-badge.tsx';

/**
 * Makes a project public with one press. Making it private requires typing the name, because all shared links stop
 * working.
 */
export function ProjectVisibility({ project }: { readonly project: Project }) {
  const { _id: id, name, isPublic } = project;
  const failure = releaseFailureText.toggle('project');
  const [asking, setAsking] = useState(false);
  const publish = usePublishProject(project);
  const withdraw = useSetPublic('project', id, {
    onSuccess: () => {
      toast(`${name} is private`);
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
        what={name}
        busy={publish.isPending}
        locked={project.withheld === undefined ? null : 'It was taken down and cannot be made public.'}
        onToggle={() => (isPublic ? ask() : publish.mutate(true))}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make ${name} private?`}
        text="People with the share link lose access to the project and all its versions. The same links work again when you make it public again."
        word={{ text: name, label: 'Name' }}
        action="Make private"
        busy={withdraw.isPending}
        failure={withdraw.error && { title: failure, reason: errorMessage(withdraw.error) }}
        onConfirm={() => withdraw.mutate(false)}
      />
    </>
  );
}
