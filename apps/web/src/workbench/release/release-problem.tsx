/** Failures of loading a release, in the words that the release page and the flashers share. */
import { pagePaths } from '@wirebench/contract/constants';
import { Suspense } from 'react';
import { signIn } from '../../shared/session/sign-in.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import message from '../../shared/ui/message-page.module.css';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import type { ReleaseProblem } from './problem-icon.tsx';
import { ReleaseError, releaseProblemOf } from './release.ts';
import styles from './release-problem.module.css';

/** Fetched with a problem, which few visits have. The page is complete without it. */
const ProblemIcon = optionalPart(async () => (await import('./problem-icon.tsx')).ProblemIcon);

interface Text {
  readonly title: string;
  readonly remedy: string;
}

export const releaseProblemText = {
  'no-address': {
    title: 'This link is incomplete',
    remedy: 'Part of it is missing. Copy the whole link again.',
  },
  'sign-in': {
    title: 'Please sign in to see your release',
    remedy: 'This link was opened from the list of your own releases.',
  },
  'not-found': {
    title: 'There is no release at this link',
    remedy:
      'It may have been made private or deleted since the link was shared. Ask whoever sent it to you for a new one.',
  },
  'taken-down': {
    title: 'This release was taken down',
    remedy: 'Whoever runs this server took it down. Do not flash copies of it that you find elsewhere.',
  },
  ended: {
    title: 'This link has expired',
    remedy: 'Its publisher set an expiry date. Ask whoever gave it to you for a new one.',
  },
  offline: {
    title: 'The release could not be loaded',
    remedy: 'Releases come from the server, which did not answer. Check the connection, then try again.',
  },
  'too-many': {
    title: 'Too many requests at the moment',
    remedy: 'Wait a minute, then try again.',
  },
  failed: {
    title: 'The release could not be loaded',
    remedy: 'Something went wrong. Try again. If it keeps happening, tell whoever runs this server.',
  },
} satisfies Record<ReleaseProblem, Text>;

/** Describes a failure in the words of the release's own page, so that a dead link has the same text everywhere. */
export function releaseErrorOf(error: unknown): ReleaseError {
  if (error instanceof ReleaseError) {
    return error;
  }
  const { problem, detail } = releaseProblemOf(error);
  const { title, remedy } = releaseProblemText[problem];
  const message = detail === null ? remedy : `${remedy} ${detail}`;
  return new ReleaseError(title, message, { way: wayOn(problem), cause: error });
}

function wayOn(problem: ReleaseProblem): ReleaseError['way'] {
  switch (problem) {
    case 'no-address':
    case 'taken-down':
    case 'ended':
      return null;
    case 'sign-in':
      return 'sign-in';
    default:
      return 'again';
  }
}

export interface ReleaseProblemProps {
  readonly problem: ReleaseProblem;
  readonly detail: string | null;
  readonly onAgain: () => void;
}

/** Shown in place of the release: the fault of the link and the remedy. */
export function ReleaseProblemView({ problem, detail, onAgain }: ReleaseProblemProps) {
  const { title, remedy } = releaseProblemText[problem];
  return (
    <div className={classNames(message['page'], styles['problem'])} role="alert">
      <span className={styles['icon']}>
        <Suspense>
          <ProblemIcon problem={problem} />
        </Suspense>
      </span>
      <span className="silk">Firmware release</span>
      <h1>{title}</h1>
      <p>{remedy}</p>
      {detail === null ? null : <p className={styles['detail']}>{detail}</p>}
      <div className={`buttons ${styles['actions']}`}>
        <Action problem={problem} onAgain={onAgain} />
        <a href={pagePaths.home} className="link">
          See what Wirebench is
        </a>
      </div>
    </div>
  );
}

function Action({ problem, onAgain }: Pick<ReleaseProblemProps, 'problem' | 'onAgain'>) {
  switch (wayOn(problem)) {
    case 'again':
      return <Button onClick={onAgain}>Try again</Button>;
    case 'sign-in':
      return (
        <Button variant="primary" onClick={() => void signIn()}>
          Sign In
        </Button>
      );
    case null:
      return null;
  }
}
