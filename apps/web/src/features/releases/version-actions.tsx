import { type Project, releaseText, type Version } from '@wirebench/contract';
import {
  Ellipsis,
  ExternalLink,
  FileCode2,
  FileWarning,
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
import { ConsoleDialog } from './console-dialog.tsx';
import { CrashesDialog } from './crashes-dialog.tsx';
import { ElfDialog } from './elf-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { flasherPage, ownerPage } from './model/release-links.ts';
import { releaseFailureText } from './release-texts.ts';
import { ShareButton } from './share-button.tsx';
import styles from './version-row.module.css';

export interface VersionActionsProps {
  readonly user: string;
  readonly project: Project;
  readonly version: Version;
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly onEdit: () => void;
}

/** Buttons and menu of one version. */
export function VersionActions({ user, project, version, editButton, onEdit }: VersionActionsProps) {
  const { _id: id, version: number } = version;
  const what = `version ${number}`;
  const isVisible = project.isPublic && version.isPublic;
  const [asking, setAsking] = useState(false);
  const deletion = useDelete('version', id, {
    onSuccess: () => {
      toast(`Version ${number} deleted`);
      setAsking(false);
    },
  });
  const ask = () => {
    deletion.reset();
    setAsking(true);
  };
  const [link, setLink] = useState(false);
  const [console, setConsole] = useState(false);
  const [elf, setElf] = useState(false);
  const [crashes, setCrashes] = useState(false);
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
          { label: 'Link settings', icon: <Link2 />, onSelect: () => setLink(true) },
          { label: 'Terminal set-up', icon: <SquareTerminal />, onSelect: () => setConsole(true) },
          { label: 'ELF file', icon: <FileCode2 />, onSelect: () => setElf(true) },
          { label: 'Crashes', icon: <FileWarning />, onSelect: () => setCrashes(true) },
        ]}
      />
      <LinkDialog type="version" what={what} item={version} open={link} onClose={() => setLink(false)} />
      <ConsoleDialog
        user={user}
        version={version}
        open={console}
        onClose={() => setConsole(false)}
        onReopen={() => setConsole(true)}
      />
      <ElfDialog project={project} version={version} open={elf} onClose={() => setElf(false)} />
      <CrashesDialog version={version} open={crashes} onClose={() => setCrashes(false)} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
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
