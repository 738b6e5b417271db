import { type Project, releaseText } from '@wirebench/contract';
import { PackageOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { type ServerLimits, useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { useFileDrop } from '../../../shared/files/use-file-drop.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useProjects } from '../calls/projects.ts';
import { useProjectDraft } from '../form/drafts-store.ts';
import { NewProjectForm } from '../form/new-project-form.tsx';
import { releaseFailureText } from '../release-texts.ts';
import { useUser } from '../use-user.ts';
import { LoadingProjects } from './loading-projects.tsx';
import { LostTexts } from './lost-texts.tsx';
import { ManagerHead } from './manager-head.tsx';
import { passFocus } from './pass-focus.ts';
import { ProjectRow, projectToggleId } from './project-row.tsx';
import styles from './release-manager.module.css';
import { visitorsOf } from './visitors.ts';

/** View of a signed-in user: the head, the form for a new project, and the list in its current state. */
export function ProjectsView() {
  const user = useUser();
  const query = useProjects(user);
  const { data: projects, error } = query;
  const limits = useServerLimits();
  // A file dropped beside a form must not replace the page, because typed text would be lost.
  useFileDrop({ take: null });
  const form = useProjectDraft(user);
  const [created, setCreated] = useState<string | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  const cancel = (done: string) =>
    passFocus(
      () => form.cancel(done),
      () => createButton.current,
    );
  const isFull = form.isEmpty && (projects?.length ?? 0) >= limits.projects;
  // The next step of a new project is its first version, and the next step of a version is *Publish*.
  const hasNextStep =
    projects?.some(
      (project) => (project._id === created && project.versions.length === 0) || visitorsOf(project).next !== null,
    ) ?? false;
  const onCreated = ({ _id: id }: Project) => {
    passFocus(
      () => {
        form.discard();
        setCreated(id);
      },
      () => document.getElementById(projectToggleId(id)) ?? createButton.current,
    );
  };
  return (
    <>
      <ManagerHead
        creation={{
          creating: form.open,
          isSecondary: hasNextStep,
          onCreate: () => form.setOpen(!form.open),
          createButton,
        }}
      >
        {projects === undefined ? null : <ProjectSlots used={projects.length} limit={limits.projects} />}
      </ManagerHead>
      {form.open && isFull ? (
        // The form keeps text that was typed before the last slot was taken.
        <Notice level="error" title={releaseText.projectLimit(limits.projects)} />
      ) : form.open ? (
        <NewProjectForm
          form={{ ...form, cancel }}
          count={projects?.length ?? 0}
          limit={limits.projects}
          onCreated={onCreated}
        />
      ) : null}
      {error === null ? null : (
        <LoadFailure query={query} message={releaseFailureText.load(errorMessage(error))}>
          {projects === undefined ? null : 'The list may be out of date.'}
        </LoadFailure>
      )}
      {projects === undefined && error === null ? <LoadingProjects /> : null}
      {projects === undefined ? null : <LostTexts projects={projects} />}
      {projects?.length === 0 ? (
        <NoProjects limits={limits} open={form.open} onCreate={() => form.setOpen(true)} />
      ) : null}
      {projects !== undefined && projects.length > 0 ? (
        <>
          <ProjectList projects={projects} created={created} />
          <p className={`small ${styles['note']}`}>
            A project holds up to {limits.versions} versions. Making a project private breaks every link you have shared
            for it.
          </p>
        </>
      ) : null}
    </>
  );
}

interface NoProjectsProps {
  readonly limits: ServerLimits;
  readonly open: boolean;
  readonly onCreate: () => void;
}

function NoProjects({ limits, open, onCreate }: NoProjectsProps) {
  return (
    <section className={styles['state']}>
      <PackageOpen />
      <h2>No projects yet</h2>
      <p>
        A project holds one firmware, with a build for each chip. Once it is public, anyone with its link can flash the
        newest version. You can keep up to {limits.projects} projects with {limits.versions} versions each.
      </p>
      {open ? null : (
        <Button variant="primary" size="lg" onClick={onCreate}>
          Create your first project
        </Button>
      )}
    </section>
  );
}

/** Above this number, slots are shown as a number only. */
const MAX_PIPS = 12;

interface ProjectSlotsProps {
  readonly used: number;
  readonly limit: number;
}

/** Shows how many of the user's project slots are used. */
function ProjectSlots({ used, limit }: ProjectSlotsProps) {
  return (
    <div className={`row ${styles['slots']}`}>
      {limit > MAX_PIPS ? null : (
        <span aria-hidden="true" className={styles['pips']}>
          {Array.from({ length: limit }, (_, index) => (
            <i key={String(index)} className={classNames(index < used && styles['on'])} />
          ))}
        </span>
      )}
      <span className="num">
        {used} of {limit} projects
      </span>
      {used > 1 ? <span className={styles['order']}>Newest change first</span> : null}
    </div>
  );
}

interface ProjectListProps {
  /** In display order; not empty. */
  readonly projects: readonly Project[];
  /** The project that was last created on this page; null before. */
  readonly created: string | null;
}

/**
 * Opens the first project and each new one. After that only the user opens and closes projects, even if their order
 * changes.
 */
function ProjectList({ projects, created }: ProjectListProps) {
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
