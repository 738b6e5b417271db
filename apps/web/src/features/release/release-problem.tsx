import { pagePaths } from '@wirebench/contract/constants';
import { Suspense } from 'react';
import { signIn } from '../../shared/session/sign-in.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import message from '../../shared/ui/message-page.module.css';
import { optionalPart } from '../../shared/ui/optional-part.ts';
import styles from './release-problem.module.css';
import type { ReleaseProblem } from './use-release.ts';

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
  if (problem === 'no-address' || problem === 'taken-down' || problem === 'ended') {
    return null;
  }
  return problem === 'sign-in' ? (
    <Button variant="primary" onClick={() => void signIn()}>
      Sign In
    </Button>
  ) : (
    <Button onClick={onAgain}>Try again</Button>
  );
}
