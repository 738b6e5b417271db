import { type Project, releaseText } from '@wirebench/contract';
import { History, Link2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useRovingFocus } from '../../shared/ui/roving-focus.ts';
import { toast } from '../../shared/ui/toast.ts';
import { deleteProject, shareProject } from './calls/projects.ts';
import { ConfirmByName } from './confirm-by-name.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { shareLink } from './model/release-links.ts';
import styles from './project-row.module.css';
import { releaseFailureText } from './release-texts.ts';
import { ShareButton } from './share-button.tsx';
import { copyShareLink } from './share-link.ts';

/** What can be done with a project as a whole. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { _id: id, name, isPublic, versions } = project;
  const [asking, setAsking] = useState(false);
  const [link, setLink] = useState(false);
  const [history, setHistory] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  return (
    <div ref={group} role="toolbar" aria-label={`Actions for ${name}`} className={styles['actions']} onKeyDown={walk}>
      <ShareButton
        type="project"
        what={name}
        locked={isPublic ? null : releaseText.notPublic('project')}
        share={async () => copyShareLink(shareLink(location.origin, 'project', await shareProject(id)), name)}
      />
      <IconButton
        label={`Link settings of ${name}`}
        variant="quiet"
        size="sm"
        icon={<Link2 />}
        aria-haspopup="dialog"
        onClick={() => setLink(true)}
      />
      <IconButton
        label={`History of ${name}`}
        variant="quiet"
        size="sm"
        icon={<History />}
        aria-haspopup="dialog"
        onClick={() => setHistory(true)}
      />
      <IconButton
        label={`Delete ${name}`}
        variant="quiet"
        size="sm"
        icon={<Trash2 />}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      />
      <LinkDialog type="project" what={name} item={project} open={link} onClose={() => setLink(false)} />
      <HistoryDialog project={project} open={history} onClose={() => setHistory(false)} />
      <ConfirmByName
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        name={name}
        action="Delete"
        failure={releaseFailureText.act('delete', 'project')}
        act={async () => {
          await deleteProject(id);
          toast(`${name} deleted`);
        }}
      >
        {versions.length === 0
          ? 'The project is deleted with its history.'
          : 'All its versions and files are deleted with it, and its links stop working. This cannot be undone.'}
      </ConfirmByName>
    </div>
  );
}
