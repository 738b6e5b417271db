import { type Project, releaseText, type Version } from '@wirebench/contract';
import {
  ChartNoAxesColumn,
  Ellipsis,
  ExternalLink,
  FileCode2,
  FileWarning,
  FlaskConical,
  Link2,
  Pencil,
  Share2,
  SquareTerminal,
  Trash2,
  Zap,
} from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useDelete } from '../calls/items.ts';
import { useSetVersionChannel } from '../calls/versions.ts';
import { LinkDialog } from '../dialogs/link-dialog.tsx';
import { ConsoleDialog, CrashesDialog, ElfDialog, FlashesDialog, ShareDialog } from '../loaded-dialogs.ts';
import { releaseFailureText } from '../release-texts.ts';
import { flasherPage, ownerPage } from './release-links.ts';
import { useCopyShareLink } from './use-copy-share-link.ts';
import styles from './version-row.module.css';

/** Effect of a channel. */
const channelText = {
  stable: 'The project link shows it while it is the newest.',
  beta: 'The project link no longer shows it. With &channel=beta at its end it does.',
} as const;

export interface VersionActionsProps {
  readonly project: Project;
  readonly version: Version;
  /** Element id of the button that opens the menu. */
  readonly buttonId: string;
  readonly onEdit: () => void;
}

/** Menu of one version. */
export function VersionActions({ project, version, buttonId, onEdit }: VersionActionsProps) {
  const { _id: id, version: number } = version;
  const what = `version ${number}`;
  const isVisible = project.isPublic && version.isPublic;
  const [dialog, setDialog] = useState<'delete' | 'link' | 'share' | 'console' | 'elf' | 'flashes' | 'crashes' | null>(
    null,
  );
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
  const [isCopied, setCopied] = useState(false);
  const share = useCopyShareLink('version', id, what, 'stable', (copied) => {
    setCopied(copied);
    setDialog('share');
  });
  const ask = () => {
    deletion.reset();
    setDialog('delete');
  };
  const locked = project.isPublic ? releaseText.notPublic('version') : releaseText.notPublic('project');
  const openPage = () => window.open(ownerPage('version', version, isVisible), '_blank', 'noopener');
  const openFlasher = () => window.open(flasherPage(project.deviceFamily, version, isVisible), '_blank', 'noopener');
  return (
    <div className={styles['actions']}>
      <Menu
        align="end"
        header={isVisible ? undefined : <p className="small">{locked}</p>}
        trigger={(props) => (
          <IconButton
            {...props}
            id={buttonId}
            label={`More about ${what}`}
            variant="quiet"
            size="sm"
            icon={<Ellipsis />}
          />
        )}
        items={[
          { label: 'Share', icon: <Share2 />, disabled: !isVisible || share.isPending, onSelect: () => share.mutate() },
          { label: 'Open in flasher', icon: <Zap />, onSelect: openFlasher },
          { label: 'Open release page', icon: <ExternalLink />, onSelect: openPage },
          { label: 'Link settings', icon: <Link2 />, onSelect: () => setDialog('link') },
          'separator',
          { label: 'Edit description', icon: <Pencil />, movesFocus: true, onSelect: onEdit },
          { label: 'Terminal set-up', icon: <SquareTerminal />, onSelect: () => setDialog('console') },
          { label: `Move to ${other}`, icon: <FlaskConical />, onSelect: () => move.mutate(other) },
          { label: 'ELF file', icon: <FileCode2 />, onSelect: () => setDialog('elf') },
          'separator',
          { label: 'Flashes by chip', icon: <ChartNoAxesColumn />, onSelect: () => setDialog('flashes') },
          { label: 'Crashes', icon: <FileWarning />, onSelect: () => setDialog('crashes') },
          'separator',
          { label: 'Delete', icon: <Trash2 />, onSelect: ask },
        ]}
      />
      <FlashesDialog project={project} version={version} open={dialog === 'flashes'} onClose={close} />
      <LinkDialog type="version" what={what} item={version} open={dialog === 'link'} onClose={close} />
      <ShareDialog
        what={what}
        release={{
          type: 'version',
          project: { name: project.name, demo: false },
          shareId: version.shareId,
          shareEndsAt: version.shareEndsAt,
          versions: [version],
        }}
        isCopied={isCopied}
        open={dialog === 'share'}
        onClose={close}
        onSettings={() => setDialog('link')}
      />
      <ConsoleDialog
        version={version}
        open={dialog === 'console'}
        onClose={close}
        onReopen={() => setDialog('console')}
      />
      <ElfDialog project={project} version={version} open={dialog === 'elf'} onClose={close} />
      <CrashesDialog project={project} version={version} open={dialog === 'crashes'} onClose={close} />
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
