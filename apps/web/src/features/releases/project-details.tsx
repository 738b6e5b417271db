import type { Project } from '@wirebench/contract';
import { describeProject } from './calls/projects.ts';
import type { ReleaseLimits } from './calls/use-limits.ts';
import { EditableDescription } from './editable-description.tsx';
import { ProjectLink } from './project-link.tsx';
import { VersionTable } from './version-table.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

export interface ProjectDetailsProps {
  readonly user: string;
  readonly project: Project;
  readonly limits: ReleaseLimits;
}

/** Everything about an open project. */
export function ProjectDetails({ user, project, limits }: ProjectDetailsProps) {
  const { _id: id, name, description } = project;
  return (
    <>
      <WithheldNotice what={name} withheld={project.withheld} />
      <EditableDescription
        user={user}
        item={{ type: 'project', id, what: name }}
        description={description}
        save={(text, before) => describeProject(id, { description: text, before })}
      />
      <ProjectLink project={project} />
      <VersionTable user={user} project={project} limit={limits.versions} />
    </>
  );
}
