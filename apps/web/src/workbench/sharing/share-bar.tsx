/** Bar during sharing: the guests, their rights, their requests, and a button to end sharing. */
import { Eye, Radio, WifiOff } from 'lucide-react';
import { useRef } from 'react';
import type { ShareGuest } from '../../protocol/share-protocol.ts';
import { ageText } from '../../shared/format/durations.ts';
import { media } from '../../shared/styles/media.ts';
import { Button } from '../../shared/ui/button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import {
  type Asking,
  announcedAwayText,
  announcedText,
  askingOf,
  asksText,
  awayText,
  guestsText,
  highestRight,
  timeText,
} from './guest-texts.ts';
import { stopSharing, takeBack } from './share-actions.ts';
import styles from './share-bar.module.css';
import { ShareButton } from './share-button.tsx';
import { showShareDialog, useSharing } from './sharing-store.ts';
import { useNow } from './use-now.ts';

const noGuests: readonly ShareGuest[] = [];

export function ShareBar() {
  const guests = useSharing(({ status }) => status?.guests ?? noGuests);
  const endsAt = useSharing(({ status }) => status?.endsAt ?? null);
  const state = useSharing(({ status }) => status?.state ?? 'connecting');
  const lostSince = useSharing(({ status }) => status?.awaySince ?? null);
  const wide = useMediaQuery('(min-width: 1181px)');
  const middle = useMediaQuery(media['beyond-phone']);
  const root = useRef<HTMLElement>(null);
  useFocusKeeper(root);
  const asking = askingOf(guests);
  const [first] = asking;
  const away = guests.filter(({ awaySince }) => awaySince !== null).length;
  const now = useNow(away === 0 && lostSince === null ? null : 1_000);
  const room = roomFor({ wide, middle, isTaken: first !== undefined, away });
  const shown = byStanding(guests).slice(0, room);
  return (
    <section ref={root} className={styles['bar']} aria-label="Shared bench" data-lost={lostSince !== null || undefined}>
      {lostSince === null ? <Radio className={styles['mark']} /> : <WifiOff className={styles['mark']} />}
      <b className={styles['count']}>
        {lostSince !== null
          ? `Connection lost ${ageText(now - lostSince)} ago`
          : state === 'connecting'
            ? 'Connecting to the server…'
            : guests.length === 0
              ? 'Shared, no guest yet'
              : `Shared with ${guestsText(guests.length)}`}
      </b>
      {lostSince === null ? null : <span className={styles['retry']}>Trying again. Guests wait.</span>}
      {shown.map((guest) => (
        <Guest key={guest.id} guest={guest} now={now} />
      ))}
      {guests.length > shown.length && room > 0 ? (
        <Button size="sm" variant="quiet" aria-label="All guests" onClick={() => showShareDialog('bar')}>
          +{guests.length - shown.length}
        </Button>
      ) : null}
      {first === undefined ? null : middle ? (
        <Request asking={first} more={asking.length - 1} />
      ) : (
        <Button size="sm" className={styles['asks']} onClick={() => showShareDialog('bar')}>
          {asking.length === 1 ? '1 request' : `${asking.length} requests`}
        </Button>
      )}
      {away === 0 || middle || first !== undefined ? null : (
        <Button size="sm" className={styles['lost']} icon={<WifiOff />} onClick={() => showShareDialog('bar')}>
          {away} away
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {lostSince === null
          ? [announcedText(asking), announcedAwayText(guests)].join(' ').trim()
          : 'The connection of the shared bench is lost. Trying again.'}
      </span>
      <span className={`row ${styles['end']}`}>
        {endsAt === null ? null : <span className={styles['until']}>ends {timeText(endsAt)}</span>}
        <ShareButton place="bar" variant="default">
          <span className={styles['word']}>Share</span>
        </ShareButton>
        <Button size="sm" variant="danger" aria-label="Stop sharing" onClick={stopSharing}>
          Stop<span className={styles['word']}> sharing</span>
        </Button>
      </span>
    </section>
  );
}

/**
 * Returns the number of guests that fit into the bar beside its other content. A guest with a note needs more width.
 */
function roomFor(bar: {
  readonly wide: boolean;
  readonly middle: boolean;
  readonly isTaken: boolean;
  readonly away: number;
}): number {
  const { wide, middle, isTaken, away } = bar;
  const room = isTaken ? (wide ? 2 : 0) : wide ? 4 : middle ? 2 : 0;
  return Math.max(Math.min(room, 1), room - Math.min(away, 2));
}

interface GuestProps {
  readonly guest: ShareGuest;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

function Guest({ guest, now }: GuestProps) {
  const { right, port, isUsing } = highestRight(guest);
  const away = awayText(guest, now);
  const does = isUsing ? `uses port ${port}` : right === 'use' ? 'may use' : right;
  return (
    <span
      className={styles['guest']}
      data-port={isUsing ? port : undefined}
      data-using={isUsing || undefined}
      data-away={away === null ? undefined : true}
    >
      <span className={styles['name']}>{guest.name}</span>
      <span className={styles['does']}>
        {port === null ? <Eye aria-hidden="true" /> : <PortFlag port={port} />}
        {away === null ? does : isUsing ? <span className={styles['word']}>{does},</span> : null}
      </span>
      {away === null ? null : (
        <span className={styles['away']}>
          <WifiOff aria-hidden="true" />
          {away}
        </span>
      )}
      {isUsing && port !== null ? (
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Take back port ${port} from ${guest.name}`}
          onClick={() => takeBack(port)}
        >
          Take back
        </Button>
      ) : null}
    </span>
  );
}

function Request({ asking, more }: { readonly asking: Asking; readonly more: number }) {
  const { name, port, right } = asking;
  return (
    <span className={styles['request']}>
      <span className={styles['name']}>
        <b>{name}</b> asks to {asksText[right]} port {port}
      </span>
      <AnswerButtons asking={asking} />
      {more > 0 ? (
        <Button size="sm" variant="quiet" aria-label="All requests" onClick={() => showShareDialog('bar')}>
          +{more}
        </Button>
      ) : null}
    </span>
  );
}

/** Sorts guests: users of a port first, then by right, and absent guests first within a right. */
function byStanding(guests: readonly ShareGuest[]): ShareGuest[] {
  const rank = (guest: ShareGuest) => {
    const { right, isUsing } = highestRight(guest);
    return (isUsing ? 0 : right === 'use' ? 1 : right === 'type' ? 2 : 3) + (guest.awaySince === null ? 0.5 : 0);
  };
  return [...guests].sort((a, b) => rank(a) - rank(b));
}
