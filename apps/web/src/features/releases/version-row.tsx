import type { Project, Version } from '@wirebench/contract';
import { useRef } from 'react';
import { dayText } from '../../shared/dates/dates.ts';
import { DescriptionEditor } from './description-editor.tsx';
import { useDescriptionEdit } from './edits-store.ts';
import { FileChips } from './file-chips.tsx';
import { FlashCount } from './flash-count.tsx';
import { passFocus } from './pass-focus.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionCrashes } from './version-crashes.tsx';
import { VersionDescription } from './version-description.tsx';
import styles from './version-row.module.css';
import { VersionVisibility } from './version-visibility.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

export interface VersionRowProps {
  readonly user: string;
  readonly project: Project;
  readonly version: Version;
}

/** One version: what it is, what is in it, how often it was flashed, and what can be done with it. */
export function VersionRow({ user, project, version }: VersionRowProps) {
  const { _id: id, description, createdAt, files } = version;
  const what = `version ${version.version}`;
  const handle = useDescriptionEdit(user, { type: 'version', id, what });
  const editButton = useRef<HTMLButtonElement>(null);
  return (
    <li className={styles['version']} aria-label={what}>
      <div className={styles['number']}>
        <b>{version.version}</b>
        <span>{dayText(createdAt)}</span>
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
        <FileChips files={files} />
        <VersionCrashes version={version} />
      </div>
      <FlashCount version={version} />
      <span className={styles['visibility']}>
        <VersionVisibility project={project} version={version} />
      </span>
      <VersionActions
        user={user}
        project={project}
        version={version}
        editButton={editButton}
        onEdit={() => handle.start(description)}
      />
    </li>
  );
}
