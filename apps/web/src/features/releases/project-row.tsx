import { deviceModelName, type Project } from '@wirebench/contract';
import { Ban, ChevronDown, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { dayText, momentText } from '../../shared/dates/dates.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { EditableDescription } from './editable-description.tsx';
import { descriptionPreview } from './model/description-preview.ts';
import { ProjectActions } from './project-actions.tsx';
import { ProjectLink } from './project-link.tsx';
import styles from './project-row.module.css';
import { ProjectVisibility } from './project-visibility.tsx';
import { VersionTable } from './version-table.tsx';
import { VisibilityMark } from './visibility-badge.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

export interface ProjectRowProps {
  readonly project: Project;
  readonly expanded: boolean;
  readonly onToggle: () => void;
}

export const projectToggleId = (projectId: string) => `project-${projectId}`;

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
        <span className={classNames('mono', styles['model'])}>{deviceModelName(deviceModel)}</span>
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
  const { _id: id, name, description } = project;
  return (
    <>
      <WithheldNotice what={name} withheld={project.withheld} />
      <EditableDescription item={{ type: 'project', id, what: name }} description={description} />
      <ProjectLink project={project} />
      <VersionTable project={project} />
    </>
  );
}
