import { Check, CircleX, Info, TriangleAlert } from 'lucide-react';

/** Level of a message. Each level has its own icon, so that colour is never the only sign. */
export type MessageLevel = 'info' | 'success' | 'warning' | 'error';

const icons = { info: Info, success: Check, warning: TriangleAlert, error: CircleX } satisfies Record<
  MessageLevel,
  unknown
>;

export function LevelIcon({ level }: { readonly level: MessageLevel }) {
  const Icon = icons[level];
  return <Icon />;
}
