import { modelName } from '@wirebench/boards';
import type { Project } from '@wirebench/contract';
import { Ban, ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { dayText, momentText } from '../../../shared/dates/dates.ts';
import { descriptionPreview } from '../../../shared/format/description-preview.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { optionalPart } from '../../../shared/ui/optional-part.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { useSetPublic } from '../calls/items.ts';
import { PageDialog } from '../loaded-dialogs.ts';
import { releaseFailureText } from '../release-texts.ts';
import { EditableDescription } from './editable-description.tsx';
import { ProjectActions } from './project-actions.tsx';
import { ProjectLink } from './project-link.tsx';
import styles from './project-row.module.css';
import { VersionTable } from './version-table.tsx';
import { VisibilityBadge, VisibilityMark } from './visibility-badge.tsx';
import { withPublicVersions } from './visible-versions.ts';
import { WithheldNotice } from './withheld-notice.tsx';

/** Loaded after the project, which is complete without it. */
const VisitorsView = optionalPart(async () => (await import('./visitors-view.tsx')).VisitorsView);

export interface ProjectRowProps {
  readonly project: Project;
  readonly expanded: boolean;
  readonly onToggle: () => void;
}

export const projectToggleId = (projectId: string) => `project-${projectId}`;

/**
 * Makes a project public with one press. Making it private requires typing the name, because all shared links stop
 * working.
 */
function ProjectVisibility({ project }: { readonly project: Project }) {
  const { _id: id, name, isPublic } = project;
  const failure = releaseFailureText.toggle('project');
  const [asking, setAsking] = useState(false);
  const publish = usePublishProject(project);
  const withdraw = useSetPublic('project', id, {
    onSuccess: () => {
      toast(`${name} is private`);
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
        what={name}
        busy={publish.isPending}
        locked={project.withheld === undefined ? null : 'It was taken down and cannot be made public.'}
        onToggle={() => (isPublic ? ask() : publish.mutate(true))}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Make ${name} private?`}
        text="People with the share link lose access to the project and all its versions. The same links work again when you make it public again."
        word={{ text: name, label: 'Name' }}
        action="Make private"
        busy={withdraw.isPending}
        failure={withdraw.error && { title: failure, reason: errorMessage(withdraw.error) }}
        onConfirm={() => withdraw.mutate(false)}
      />
    </>
  );
}

const nothingYet = 'Visitors read “No version published yet” until you publish a version.';

/** Makes a project public, and confirms it with the names of the versions that become visible. */
function usePublishProject(project: Project) {
  const { _id: id, name } = project;
  return useSetPublic('project', id, {
    onSuccess: () => toast(`${name} is public`, { detail: withPublicVersions(project) ?? nothingYet }),
    onError: (error) => toast(releaseFailureText.toggle('project'), { level: 'error', detail: errorMessage(error) }),
  });
}

/** A project: a line, and its details below if it is open. */
export function ProjectRow({ project, expanded, onToggle }: ProjectRowProps) {
  const detailsId = useId();
  const limits = useServerLimits();
  const { name, description, deviceModel, isPublic, updatedAt, versions } = project;
  return (
    <section aria-label={name} className={classNames(styles['project'], expanded && styles['open'])}>
      <div className={styles['head']}>
        <h2 className={styles['name']}>
          <button
            id={projectToggleId(project._id)}
            type="button"
            aria-expanded={expanded}
            aria-controls={expanded ? detailsId : undefined}
            onClick={onToggle}
          >
            {expanded ? <ChevronDown /> : <ChevronRight />}
            <span>{name}</span>
          </button>
        </h2>
        <p className={styles['about']}>
          {expanded ? `Updated ${momentText(updatedAt, Date.now())}` : descriptionPreview(description).text}
        </p>
        <span className={classNames('mono', styles['model'])}>{modelName(deviceModel)}</span>
        <span className={classNames('num', styles['count'])}>
          {versions.length} of {limits.versions}
          <span className="visually-hidden"> versions</span>
        </span>
        <span className={styles['visibility']}>
          {expanded ? (
            <ProjectVisibility project={project} />
          ) : project.withheld === undefined ? (
            <VisibilityMark isPublic={isPublic} />
          ) : (
            <Badge tone="danger" icon={<Ban />}>
              Taken down
            </Badge>
          )}
        </span>
        {expanded ? <ProjectActions project={project} /> : <span className={styles['date']}>{dayText(updatedAt)}</span>}
      </div>
      {expanded ? (
        <div id={detailsId} className={styles['details']}>
          <ProjectDetails project={project} />
        </div>
      ) : null}
    </section>
  );
}

/** Details of an open project. */
function ProjectDetails({ project }: Pick<ProjectRowProps, 'project'>) {
  const { name } = project;
  const [editing, setEditing] = useState(false);
  return (
    <>
      <div className={styles['work']}>
        <WithheldNotice what={name} withheld={project.withheld} />
        <EditableDescription project={project} />
        <ProjectLink project={project} />
        <VersionTable project={project} />
      </div>
      <Suspense>
        <VisitorsView project={project} onEdit={() => setEditing(true)} />
      </Suspense>
      <PageDialog project={project} open={editing} onClose={() => setEditing(false)} />
    </>
  );
}
