import type { Project, Version } from '@wirebench/contract';
import { useRef, useState } from 'react';
import { dayText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { DescriptionEditor } from './description-editor.tsx';
import { useDescriptionEdit } from './edits-store.ts';
import { FileChips } from './file-chips.tsx';
import { LinkEnd } from './link-end.tsx';
import { FlashesDialog } from './loaded-dialogs.ts';
import { countText } from './model/count-text.ts';
import { passFocus } from './pass-focus.ts';
import { useUser } from './use-user.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionBuilds } from './version-builds.tsx';
import { VersionCrashes } from './version-crashes.tsx';
import { VersionDescription } from './version-description.tsx';
import styles from './version-row.module.css';
import { VersionVisibility } from './version-visibility.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

export interface VersionRowProps {
  readonly project: Project;
  readonly version: Version;
}

/** One version: its description, its files, the number of its flashes, and its actions. */
export function VersionRow({ project, version }: VersionRowProps) {
  const { _id: id, description, createdAt, files } = version;
  const what = `version ${version.version}`;
  const handle = useDescriptionEdit(useUser(), { type: 'version', id, what });
  const editButton = useRef<HTMLButtonElement>(null);
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
            onLeave={(leave) => passFocus(leave, () => editButton.current)}
          />
        ) : (
          <VersionDescription what={what} description={description} />
        )}
        <WithheldNotice what={`Version ${version.version}`} withheld={version.withheld} />
        <LinkEnd endsAt={version.shareEndsAt} />
        {version.builds === undefined ? (
          <FileChips files={files} />
        ) : (
          <VersionBuilds project={project} version={version} />
        )}
        <VersionCrashes version={version} />
      </div>
      <FlashCount project={project} version={version} />
      <span className={styles['visibility']}>
        <VersionVisibility project={project} version={version} />
      </span>
      <VersionActions
        project={project}
        version={version}
        editButton={editButton}
        onEdit={() => handle.start(description)}
      />
    </li>
  );
}

/** Shows the number of a version's flashes. Pressed, it shows the chips and the failures. */
function FlashCount({ project, version }: VersionRowProps) {
  const [open, setOpen] = useState(false);
  const { writeCount, version: number } = version;
  return (
    <>
      <button type="button" className={styles['count']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <b className="num">{countText(writeCount)}</b> <span>{writeCount === 1 ? 'flash' : 'flashes'}</span>{' '}
        <span className="visually-hidden">of version {number}: show by chip</span>
      </button>
      <FlashesDialog project={project} version={version} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
