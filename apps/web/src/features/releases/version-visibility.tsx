import type { Project, Version } from '@wirebench/contract';
import { useState } from 'react';
import { toast } from '../../shared/ui/toast.ts';
import { setVersionPublic } from './calls/versions.ts';
import { ConfirmByName } from './confirm-by-name.tsx';
import { releaseFailureText } from './release-texts.ts';
import { useAct } from './use-act.ts';
import { VisibilityBadge } from './visibility-badge.tsx';

export interface VersionVisibilityProps {
  readonly project: Project;
  readonly version: Version;
}

/** While the project is private the badge is kept as it is and locked: the version is not to be seen either way. */
export function VersionVisibility({ project, version }: VersionVisibilityProps) {
  const { _id: id, isPublic, version: number } = version;
  const what = `version ${number}`;
  const failure = releaseFailureText.toggle('version');
  const publish = useAct(failure);
  const [asking, setAsking] = useState(false);
  const makePublic = () =>
    publish.run(async () => {
      await setVersionPublic(id, true);
      toast(`Version ${number} is public`);
    });
  return (
    <>
      <VisibilityBadge
        isPublic={isPublic}
        what={what}
        busy={publish.busy}
        locked={
          version.withheld !== undefined
            ? 'It was taken down and cannot be made public.'
            : project.isPublic
              ? null
              : `Make ${project.name} public first: while it is private, so are its versions.`
        }
        onToggle={() => (isPublic ? setAsking(true) : void makePublic())}
      />
      <ConfirmByName
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make version ${number} private?`}
        name={number}
        action="Make private"
        failure={failure}
        act={async () => {
          await setVersionPublic(id, false);
          toast(`Version ${number} is private`);
        }}
      >
        People with its share link lose access, and the project link no longer shows it.
      </ConfirmByName>
    </>
  );
}
