/** Texts for an end of sharing that the user did not cause with Stop. */
import type { HostStatus } from '@wirebench/remote';
import type { MessageLevel } from '../../shared/ui/level-icon.tsx';

interface EndText {
  readonly text: string;
  readonly level: MessageLevel;
  readonly detail?: string | undefined;
}

const byUs = {
  expired: { text: 'Sharing has ended: the time that you chose is over.', level: 'info' },
  empty: { text: 'Sharing has ended: no guest was here for 30 minutes.', level: 'info' },
  ended: { text: 'The server has ended sharing.', level: 'error', detail: 'Share the bench again for a new link.' },
  'no-such-room': {
    text: 'The server does not know this shared bench any more.',
    level: 'error',
    detail: 'The connection was away for too long. Share the bench again for a new link.',
  },
  replaced: {
    text: 'Sharing has ended: somebody else has connected as the host of this bench.',
    level: 'error',
    detail: 'If that was not you, sign out everywhere, then share the bench again.',
  },
} satisfies Partial<Record<NonNullable<HostStatus['why']>, EndText>>;

const other: EndText = {
  text: 'Sharing has ended: the server does not accept this connection any more.',
  level: 'error',
  detail: 'Share the bench again for a new link.',
};

export function endTexts(why: NonNullable<HostStatus['why']>): EndText {
  const texts: Partial<Record<NonNullable<HostStatus['why']>, EndText>> = byUs;
  return texts[why] ?? other;
}
