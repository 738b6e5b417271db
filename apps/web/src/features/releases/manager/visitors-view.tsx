/**
 * *What visitors see*, beside an open project: its page now, and after *Publish*, small and from the same parts as the
 * page itself.
 */
import { type Project, picturePaths, type Version } from '@wirebench/contract';
import { Pencil, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { InstallCall, ReleaseHero } from '../../../workbench/release/release-hero.tsx';
import { ReleaseProblemView, releaseProblemText } from '../../../workbench/release/release-problem.tsx';
import { visitorsOf } from './visitors.ts';
import styles from './visitors-view.module.css';

export interface VisitorsViewProps {
  readonly project: Project;
  /** Opens the form of sentence and picture. */
  readonly onEdit: () => void;
}

export function VisitorsView({ project, onEdit }: VisitorsViewProps) {
  const { isPublic, withheld } = project;
  const { now, next } = visitorsOf(project);
  return (
    <aside className={styles['view']} aria-label={`What visitors of ${project.name} see`}>
      <div className={styles['head']}>
        <h3 className="silk">What visitors see</h3>
        <Button
          size="sm"
          variant="quiet"
          icon={<Pencil />}
          aria-haspopup="dialog"
          aria-label={`Edit sentence and picture of ${project.name}`}
          onClick={onEdit}
        >
          Edit
        </Button>
      </div>
      {withheld === undefined && !isPublic ? <p className={styles['nothing']}>Nothing is public yet.</p> : null}
      {withheld !== undefined || !isPublic ? (
        <Problem problem={withheld === undefined ? 'not-found' : 'taken-down'} />
      ) : (
        <Page title="Now" project={project} version={now} />
      )}
      {project.versions.length === 0 && withheld === undefined && !isPublic ? (
        <Page title="After the first Publish" project={project} version={null} isPreview />
      ) : null}
      {next === null || withheld !== undefined ? null : (
        <Page
          title={next.channel === 'beta' ? 'After Publish, by the beta link' : 'After Publish'}
          project={project}
          version={next}
        />
      )}
    </aside>
  );
}

function Problem({ problem }: { readonly problem: 'not-found' | 'taken-down' }) {
  return (
    <Small title="Now" text={releaseProblemText[problem].title}>
      <ReleaseProblemView problem={problem} detail={null} onAgain={() => undefined} />
    </Small>
  );
}

interface PageProps {
  readonly title: string;
  readonly project: Project;
  readonly version: Version | null;
  /** True: shows the page as it will be with a first version. */
  readonly isPreview?: boolean;
}

function Page({ title, project, version, isPreview = false }: PageProps) {
  const { name } = project;
  return (
    <Small
      title={title}
      text={
        version !== null
          ? `${name} ${version.version}, Install`
          : isPreview
            ? `${name}, Install`
            : `${name}, no version yet`
      }
    >
      <ReleaseHero
        project={project}
        version={version}
        isPreview={isPreview}
        pictureSource={{ own: true, addressOf: (theme) => picturePaths.own(project._id, theme) }}
        choice={version === null ? null : <b className="mono">{version.version}</b>}
      >
        {version === null && !isPreview ? null : (
          <InstallCall project={project}>
            <button type="button" className={buttonClass({ variant: 'primary', size: 'lg' })}>
              <Zap />
              Install
            </button>
          </InstallCall>
        )}
      </ReleaseHero>
    </Small>
  );
}

interface SmallProps {
  readonly title: string;
  /** Words for the picture. */
  readonly text: string;
  readonly children: ReactNode;
}

/** A page as a picture: it takes neither focus nor clicks, and is one image to a screen reader. */
function Small({ title, text, children }: SmallProps) {
  return (
    <figure className={styles['one']}>
      <figcaption>{title}</figcaption>
      <div role="img" aria-label={`${title}: ${text}`} className={styles['page']}>
        <div inert aria-hidden="true">
          {children}
        </div>
      </div>
    </figure>
  );
}
