import { type Project, releaseText, type Version } from '@wirebench/contract';
import {
  Ellipsis,
  ExternalLink,
  FileCode2,
  FileWarning,
  FlaskConical,
  Link2,
  Pencil,
  SquareTerminal,
  Trash2,
  Zap,
} from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { errorMessage } from '../../shared/api/api-error.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { useRovingFocus } from '../../shared/ui/roving-focus.ts';
import { toast } from '../../shared/ui/toast.ts';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import { useDelete } from './calls/items.ts';
import { useSetVersionChannel } from './calls/versions.ts';
import { LinkDialog } from './link-dialog.tsx';
import { ConsoleDialog, CrashesDialog, ElfDialog } from './loaded-dialogs.ts';
import { flasherPage, ownerPage } from './model/release-links.ts';
import { releaseFailureText } from './release-texts.ts';
import { ShareButton } from './share-button.tsx';
import styles from './version-row.module.css';

/** Effect of a channel. */
const channelText = {
  stable: 'The project link shows it while it is the newest.',
  beta: 'The project link no longer shows it. With &channel=beta at its end it does.',
} as const;

export interface VersionActionsProps {
  readonly project: Project;
  readonly version: Version;
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly onEdit: () => void;
}

/** Buttons and menu of one version. */
export function VersionActions({ project, version, editButton, onEdit }: VersionActionsProps) {
  const { _id: id, version: number } = version;
  const what = `version ${number}`;
  const isVisible = project.isPublic && version.isPublic;
  const [dialog, setDialog] = useState<'delete' | 'link' | 'console' | 'elf' | 'crashes' | null>(null);
  const close = () => setDialog(null);
  const deletion = useDelete('version', id, {
    onSuccess: () => {
      toast(`Version ${number} deleted`);
      close();
    },
  });
  const other = version.channel === 'beta' ? 'stable' : 'beta';
  const move = useSetVersionChannel(id, {
    onSuccess: () => toast(`Version ${number} is ${other}`, { detail: channelText[other] }),
    onError: (error) => toast(releaseFailureText.channel(number), { level: 'error', detail: errorMessage(error) }),
  });
  const ask = () => {
    deletion.reset();
    setDialog('delete');
  };
  const locked = project.isPublic ? releaseText.notPublic('version') : releaseText.notPublic('project');
  const openPage = () => window.open(ownerPage('version', version, isVisible), '_blank', 'noopener');
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  return (
    <div ref={group} role="toolbar" aria-label={`Actions for ${what}`} className={styles['actions']} onKeyDown={walk}>
      <ShareButton type="version" id={id} what={what} locked={isVisible ? null : locked} />
      <Tooltip text="Open in flasher">
        {(anchor) => (
          <a
            {...anchor}
            href={flasherPage(project.deviceFamily, version, isVisible)}
            target="_blank"
            rel="noopener"
            className={buttonClass({ variant: 'quiet', size: 'sm', square: true })}
            aria-label={`Open ${what} in the flasher, in a new tab`}
          >
            <Zap />
          </a>
        )}
      </Tooltip>
      <IconButton
        ref={editButton}
        label={`Edit the description of ${what}`}
        variant="quiet"
        size="sm"
        icon={<Pencil />}
        onClick={onEdit}
      />
      <IconButton
        label={`Delete ${what}`}
        variant="quiet"
        size="sm"
        icon={<Trash2 />}
        aria-haspopup="dialog"
        onClick={ask}
      />
      <Menu
        align="end"
        trigger={(props) => (
          <IconButton {...props} label={`More about ${what}`} variant="quiet" size="sm" icon={<Ellipsis />} />
        )}
        items={[
          { label: 'Open release page', icon: <ExternalLink />, onSelect: openPage },
          { label: 'Link settings', icon: <Link2 />, onSelect: () => setDialog('link') },
          { label: 'Terminal set-up', icon: <SquareTerminal />, onSelect: () => setDialog('console') },
          { label: `Move to ${other}`, icon: <FlaskConical />, onSelect: () => move.mutate(other) },
          { label: 'ELF file', icon: <FileCode2 />, onSelect: () => setDialog('elf') },
          { label: 'Crashes', icon: <FileWarning />, onSelect: () => setDialog('crashes') },
        ]}
      />
      <LinkDialog type="version" what={what} item={version} open={dialog === 'link'} onClose={close} />
      <ConsoleDialog
        version={version}
        open={dialog === 'console'}
        onClose={close}
        onReopen={() => setDialog('console')}
      />
      <ElfDialog project={project} version={version} open={dialog === 'elf'} onClose={close} />
      <CrashesDialog version={version} open={dialog === 'crashes'} onClose={close} />
      <ConfirmDialog
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete version ${number}?`}
        text="Its files are deleted with it, and its link stops working. This cannot be undone."
        word={{ text: number, label: 'Name' }}
        action="Delete"
        busy={deletion.isPending}
        failure={
          deletion.error && {
            title: releaseFailureText.act('delete', 'version'),
            reason: errorMessage(deletion.error),
          }
        }
        onConfirm={() => deletion.mutate()}
      />
    </div>
  );
}
