import type { Project } from '@wirebench/contract';
import { useState } from 'react';
import { toast } from '../../shared/ui/toast.ts';
import { setProjectPublic } from './calls/projects.ts';
import { ConfirmByName } from './confirm-by-name.tsx';
import { withPublicVersions } from './model/visible-versions.ts';
import { releaseFailureText } from './release-texts.ts';
import { useAct } from './use-act.ts';
import { VisibilityBadge } from './visibility-badge.tsx';

/** Public at a press; private only after the name was typed, since every link that was handed out breaks. */
export function ProjectVisibility({ project }: { readonly project: Project }) {
  const { _id: id, name, isPublic } = project;
  const failure = releaseFailureText.toggle('project');
  const publish = useAct(failure);
  const [asking, setAsking] = useState(false);
  const makePublic = () =>
    publish.run(async () => {
      await setProjectPublic(id, true);
      toast(`${name} is public`, { detail: withPublicVersions(project) ?? undefined });
    });
  return (
    <>
      <VisibilityBadge
        isPublic={isPublic}
        what={name}
        busy={publish.busy}
        locked={project.withheld === undefined ? null : 'It was taken down and cannot be made public.'}
        onToggle={() => (isPublic ? setAsking(true) : void makePublic())}
      />
      <ConfirmByName
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make ${name} private?`}
        name={name}
        action="Make private"
        failure={failure}
        act={async () => {
          await setProjectPublic(id, false);
          toast(`${name} is private`);
        }}
      >
        People with the share link lose access to the project and all its versions. The same links work again when you
        make it public again.
      </ConfirmByName>
    </>
  );
}
