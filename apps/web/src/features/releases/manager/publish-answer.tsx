import type { Project } from '@wirebench/contract';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { usePublish } from '../calls/items.ts';
import { MakePrivateDialog } from '../loaded-dialogs.ts';
import { releaseFailureText } from '../release-texts.ts';
import styles from './publish-answer.module.css';
import { withPublicVersions } from './visible-versions.ts';
import { visitorsOf } from './visitors.ts';

/** Says what visitors see now. Its button makes the project and the newest version public together. */
export function PublishAnswer({ project }: { readonly project: Project }) {
  const { name, isPublic, withheld } = project;
  const { now, next } = visitorsOf(project);
  const publish = usePublish(project, {
    onSuccess: (_done, { version, channel }) =>
      toast(`Version ${version} of ${name} is published`, {
        detail:
          channel === 'beta'
            ? 'Visitors install it by the beta link.'
            : 'Visitors install it by the link of the project.',
      }),
    onError: (error) =>
      toast(releaseFailureText.toggle(isPublic ? 'version' : 'project'), {
        level: 'error',
        detail: errorMessage(error),
      }),
  });
  const others = withPublicVersions(project);
  const [asks, setAsks] = useState(false);
  // Stays while the dialog closes, when the version has become private already.
  const [asked, setAsked] = useState(now);
  return (
    <div className={styles['answer']}>
      <div role="status">
        <b>{titleOf(project, now?.version ?? null, next?.version ?? null)}</b>
        {next === null || withheld !== undefined ? null : (
          <p>
            {isPublic
              ? `Publish makes version ${next.version} public.`
              : next.isPublic
                ? 'Publish makes the project public.'
                : `Publish makes the project and version ${next.version} public together.`}{' '}
            {next.channel === 'beta'
              ? 'It is a beta version: only the link with &channel=beta leads to it.'
              : isPublic
                ? 'Visitors can install it at once.'
                : 'Anyone with the link can install it at once. It is listed nowhere.'}{' '}
            {isPublic ? null : others}
          </p>
        )}
      </div>
      {next === null || withheld !== undefined ? null : (
        <Button
          variant="primary"
          icon={<Globe />}
          busy={publish.isPending}
          aria-label={`Publish ${next.version} of ${name}`}
          onClick={() => publish.mutate(next)}
        >
          {`Publish ${next.version}`}
        </Button>
      )}
      {now === null || next !== null || withheld !== undefined ? null : (
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          aria-label={`Make private… ${name}`}
          onClick={() => {
            setAsked(now);
            setAsks(true);
          }}
        >
          Make private…
        </Button>
      )}
      {asked === null ? null : (
        <MakePrivateDialog project={project} version={asked} open={asks} onClose={() => setAsks(false)} />
      )}
    </div>
  );
}

function titleOf({ isPublic, withheld, versions }: Project, now: string | null, next: string | null): string {
  if (withheld !== undefined) {
    return 'Taken down: only you see it.';
  }
  if (now !== null) {
    return next === null ? `Visitors install ${now}.` : `Visitors install ${now}. ${next} is ready.`;
  }
  if (versions.length === 0) {
    return isPublic
      ? 'Visitors read “No version published yet”. Add a version, then publish it.'
      : 'Nothing is public yet. Add a version, then publish it.';
  }
  if (next === null) {
    return isPublic ? 'Visitors of the beta link install the newest beta version.' : 'Only you see it.';
  }
  return isPublic
    ? `Visitors read “No version published yet”. ${next} is ready.`
    : `Version ${next} is ready, and only you see it.`;
}
