import { type Project, releaseText } from '@wirebench/contract';
import { CloudDownload, Ellipsis, GitCompareArrows, History, Link2, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useDelete } from '../calls/items.ts';
import { LinkDialog } from '../dialogs/link-dialog.tsx';
import { CompareDialog, HistoryDialog, PullDialog, ShareDialog } from '../loaded-dialogs.ts';
import { releaseFailureText } from '../release-texts.ts';
import { useUser } from '../use-user.ts';
import { useDescriptionEdit } from './edits-store.ts';
import styles from './project-row.module.css';
import { useCopyShareLink } from './use-copy-share-link.ts';

/** Element id of the button that opens a project's menu. */
export const projectMenuId = (id: string) => `more-${id}`;

/** Actions on a whole project. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { _id: id, name, description, isPublic, versions } = project;
  const edit = useDescriptionEdit(useUser(), { type: 'project', id, what: name });
  const [dialog, setDialog] = useState<'delete' | 'link' | 'share' | 'pull' | 'compare' | 'history' | null>(null);
  const [isCopied, setCopied] = useState(false);
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
  const compare = { label: 'Compare versions', icon: <GitCompareArrows />, onSelect: () => setDialog('compare') };
  const pull = {
    label: 'Take a version from a manifest',
    icon: <CloudDownload />,
    onSelect: () => setDialog('pull'),
  };
  return (
    <div className={styles['actions']}>
      <ShareButton
        id={id}
        what={name}
        locked={isPublic ? null : releaseText.notPublic('project')}
        onDone={(copied) => {
          setCopied(copied);
          setDialog('share');
        }}
      />
      <Menu
        align="end"
        trigger={(props) => (
          <IconButton
            {...props}
            id={projectMenuId(id)}
            label={`More about ${name}`}
            variant="quiet"
            size="sm"
            icon={<Ellipsis />}
          />
        )}
        items={[
          {
            label: 'Edit description',
            icon: <Pencil />,
            movesFocus: true,
            onSelect: () => edit.start(description),
          },
          { label: 'Link settings', icon: <Link2 />, onSelect: () => setDialog('link') },
          ...(versions.length < limits.versions ? [pull] : []),
          ...(versions.length < 2 ? [] : [compare]),
          { label: 'History', icon: <History />, onSelect: () => setDialog('history') },
          'separator',
          { label: 'Delete', icon: <Trash2 />, onSelect: ask },
        ]}
      />
      <CompareDialog project={project} open={dialog === 'compare'} onClose={close} />
      <LinkDialog type="project" what={name} item={project} open={dialog === 'link'} onClose={close} />
      <ShareDialog
        what={name}
        release={{
          type: 'project',
          project: { name, demo: false },
          shareId: project.shareId,
          shareEndsAt: project.shareEndsAt,
          versions: versions.filter(({ isPublic: isShown }) => isShown),
          hasBeta: versions.some(({ isPublic: isShown, channel }) => isShown && channel === 'beta'),
        }}
        isCopied={isCopied}
        open={dialog === 'share'}
        onClose={close}
        onSettings={() => setDialog('link')}
      />
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

interface ShareButtonProps {
  readonly id: string;
  /** Name of the shared item: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  /** Reason why there is no link; null if there is one. */
  readonly locked: string | null;
  readonly onDone: (isCopied: boolean) => void;
}

/** Copies the share link, and shows the other ways to share. For a private project it only explains why there is no link. */
function ShareButton({ id, what, locked, onDone }: ShareButtonProps) {
  const { isPending, mutate } = useCopyShareLink('project', id, what, 'stable', onDone);
  return (
    <Tooltip text={locked ?? `Copy the link to ${what}`}>
      {(anchor) => (
        <Button
          {...anchor}
          size="sm"
          icon={<Share2 />}
          busy={isPending}
          aria-label={`Share ${what}`}
          aria-disabled={locked !== null || undefined}
          onClick={() => mutate()}
        >
          Share
        </Button>
      )}
    </Tooltip>
  );
}
