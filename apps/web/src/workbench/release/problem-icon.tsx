import { Ban, CalendarX, CloudOff, Hourglass, KeyRound, TriangleAlert, Unlink } from 'lucide-react';

/** Reason why no release is shown. */
export type ReleaseProblem =
  | 'no-address'
  | 'sign-in'
  | 'not-found'
  | 'taken-down'
  | 'ended'
  | 'offline'
  | 'too-many'
  | 'failed';

const icons = {
  'no-address': Unlink,
  'sign-in': KeyRound,
  'not-found': Unlink,
  'taken-down': Ban,
  ended: CalendarX,
  offline: CloudOff,
  'too-many': Hourglass,
  failed: TriangleAlert,
} satisfies Record<ReleaseProblem, unknown>;

export function ProblemIcon({ problem }: { readonly problem: ReleaseProblem }) {
  const Icon = icons[problem];
  return <Icon />;
}
