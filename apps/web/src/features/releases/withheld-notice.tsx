import type { Withheld } from '@wirebench/contract';
import { Notice } from '../../shared/ui/notice.tsx';

export interface WithheldNoticeProps {
  /** As a sentence begins with it: `Version 1.4.0`. */
  readonly what: string;
  readonly withheld: Withheld | undefined;
}

/** Why nobody else sees what was public. Nothing for what was not taken down. */
export function WithheldNotice({ what, withheld }: WithheldNoticeProps) {
  if (withheld === undefined) {
    return null;
  }
  const title =
    withheld.by === 'taken-down'
      ? `${what} was taken down by whoever runs this server.`
      : `${what} is not shown, because your account may not share anything on this server.`;
  return (
    <Notice level="warning" title={title}>
      Reason: {withheld.reason}
    </Notice>
  );
}
