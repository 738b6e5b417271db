import type { Withheld } from '@wirebench/contract';
import { Notice } from '../../../shared/ui/notice.tsx';

export interface WithheldNoticeProps {
  /** Name at the beginning of a sentence: `Version 1.4.0`. */
  readonly what: string;
  readonly withheld: Withheld | undefined;
}

/** Explains why a public item is hidden from others. Renders nothing for an item that was not taken down. */
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
