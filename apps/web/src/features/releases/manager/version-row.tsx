import type { Project, Version } from '@wirebench/contract';
import { useId, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { dayText } from '../../../shared/dates/dates.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSetPublic } from '../calls/items.ts';
import { countText } from '../count-text.ts';
import { releaseFailureText } from '../release-texts.ts';
import { useUser } from '../use-user.ts';
import { DescriptionEditor } from './description-editor.tsx';
import { useDescriptionEdit } from './edits-store.ts';
import { LinkEnd } from './link-end.tsx';
import { passFocus } from './pass-focus.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionBuilds } from './version-builds.tsx';
import { VersionCrashes } from './version-crashes.tsx';
import { VersionDescription } from './version-description.tsx';
import styles from './version-row.module.css';
import { VisibilityBadge } from './visibility-badge.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

export interface VersionRowProps {
  readonly project: Project;
  readonly version: Version;
}

interface VersionVisibilityProps {
  readonly project: Project;
  readonly version: Version;
}

/** While the project is private, the badge keeps its state but is locked, because the version is hidden in any case. */
function VersionVisibility({ project, version }: VersionVisibilityProps) {
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

/** One version: its description, its files, the number of its flashes, and its actions. */
export function VersionRow({ project, version }: VersionRowProps) {
  const { _id: id, description, createdAt, writeCount } = version;
  const what = `version ${version.version}`;
  const handle = useDescriptionEdit(useUser(), { type: 'version', id, what });
  const buttonId = useId();
  return (
    <li className={styles['version']} aria-label={what}>
      <div className={styles['number']}>
        <b>{version.version}</b>
        <span>{dayText(createdAt)}</span>
        {version.channel === 'beta' ? <Badge tone="warning">Beta</Badge> : null}
      </div>
      <div className={styles['content']}>
        {handle.edit !== null ? (
          <DescriptionEditor
            edit={handle.edit}
            handle={handle}
            description={description}
            onLeave={(leave) => passFocus(leave, () => document.getElementById(buttonId))}
          />
        ) : (
          <VersionDescription what={what} description={description} />
        )}
        <WithheldNotice what={`Version ${version.version}`} withheld={version.withheld} />
        <LinkEnd endsAt={version.shareEndsAt} />
        <VersionBuilds project={project} version={version} />
        <VersionCrashes project={project} version={version} />
      </div>
      <p className={styles['count']}>
        <b className="num">{countText(writeCount)}</b> <span>{writeCount === 1 ? 'flash' : 'flashes'}</span>
      </p>
      <span className={styles['visibility']}>
        <VersionVisibility project={project} version={version} />
      </span>
      <VersionActions
        project={project}
        version={version}
        buttonId={buttonId}
        onEdit={() => handle.start(description)}
      />
    </li>
  );
}
