import type { Project } from '@wirebench/contract';
import { useState } from 'react';
import { ProjectRow } from './project-row.tsx';

export interface ProjectListProps {
  /** In the order in which they are shown; not empty. */
  readonly projects: readonly Project[];
  /** The project that was made here last; null before. */
  readonly created: string | null;
}

/** Opens the first project and each new one; from then on what is open is the person's choice, whatever moves to the top. */
export function ProjectList({ projects, created }: ProjectListProps) {
  const [first] = useState(() => projects[0]?._id);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  return (
    <div className="card">
      {projects.map((project) => {
        const { _id: id } = project;
        const expanded = chosen[id] ?? (id === first || id === created);
        return (
          <ProjectRow
            key={id}
            project={project}
            expanded={expanded}
            onToggle={() => setChosen((before) => ({ ...before, [id]: !expanded }))}
          />
        );
      })}
    </div>
  );
}
