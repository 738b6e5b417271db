import { type Project, releaseText } from '@wirebench/contract';
import { CloudDownload, History, Link2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useRovingFocus } from '../../shared/ui/roving-focus.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useDelete } from './calls/items.ts';
import { LinkDialog } from './link-dialog.tsx';
import { HistoryDialog, PullDialog } from './loaded-dialogs.ts';
import styles from './project-row.module.css';

import { releaseFailureText } from './release-texts.ts';
import { ShareButton } from './share-button.tsx';

/** Actions on a whole project. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { _id: id, name, isPublic, versions } = project;
  const [dialog, setDialog] = useState<'delete' | 'link' | 'pull' | 'history' | null>(null);
  const limits = useServerLimits();
  const close = () => setDialog(null);
  const deletion = useDelete('project', id, {
    onSuccess: () => {
      toast(`${name} deleted`);
      close();
    },
  });
  const ask = () => {
    deletion.reset();
    setDialog('delete');
  };
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  return (
    <div ref={group} role="toolbar" aria-label={`Actions for ${name}`} className={styles['actions']} onKeyDown={walk}>
      <ShareButton type="project" id={id} what={name} locked={isPublic ? null : releaseText.notPublic('project')} />
      <IconButton
        label={`Link settings of ${name}`}
        variant="quiet"
        size="sm"
        icon={<Link2 />}
        aria-haspopup="dialog"
        onClick={() => setDialog('link')}
      />
      {versions.length < limits.versions ? (
        <IconButton
          label={`Take a version of ${name} from a manifest`}
          variant="quiet"
          size="sm"
          icon={<CloudDownload />}
          aria-haspopup="dialog"
          onClick={() => setDialog('pull')}
        />
      ) : null}
      <IconButton
        label={`History of ${name}`}
        variant="quiet"
        size="sm"
        icon={<History />}
        aria-haspopup="dialog"
        onClick={() => setDialog('history')}
      />
      <IconButton
        label={`Delete ${name}`}
        variant="quiet"
        size="sm"
        icon={<Trash2 />}
        aria-haspopup="dialog"
        onClick={ask}
      />
      <LinkDialog type="project" what={name} item={project} open={dialog === 'link'} onClose={close} />
      <PullDialog project={project} open={dialog === 'pull'} onClose={close} />
      <HistoryDialog project={project} open={dialog === 'history'} onClose={close} />
      <ConfirmDialog
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}?`}
        text={
          versions.length === 0
            ? 'The project is deleted with its history.'
            : 'All its versions and files are deleted with it, and its links stop working. This cannot be undone.'
        }
        word={{ text: name, label: 'Name' }}
        action="Delete"
        busy={deletion.isPending}
        failure={
          deletion.error && {
            title: releaseFailureText.act('delete', 'project'),
            reason: errorMessage(deletion.error),
          }
        }
        onConfirm={() => deletion.mutate()}
      />
    </div>
  );
}
