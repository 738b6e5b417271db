import type { Project } from '@wirebench/contract';
import { useState } from 'react';
import { ProjectRow } from './project-row.tsx';

export interface ProjectListProps {
  /** In display order; not empty. */
  readonly projects: readonly Project[];
  /** The project that was last created on this page; null before. */
  readonly created: string | null;
}

/**
 * Opens the first project and each new one. After that only the user opens and closes projects, even if their order
 * changes.
 */
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
