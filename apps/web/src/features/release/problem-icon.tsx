import { Ban, CalendarX, CloudOff, Hourglass, KeyRound, TriangleAlert, Unlink } from 'lucide-react';
import type { ReleaseProblem } from './use-release.ts';

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
