/** The bar that stays while the bench is shared: who is here, what each may do, what somebody asks for, and the end of it. */
import { Eye, Radio } from 'lucide-react';
import { useRef } from 'react';
import { media } from '../../shared/styles/media.ts';
import { Button } from '../../shared/ui/button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { type Asking, announcedText, askingOf, asksText, guestsText, standingOf, timeText } from './guest-texts.ts';
import { stopSharing, takeBack } from './share-actions.ts';
import styles from './share-bar.module.css';
import { ShareButton } from './share-button.tsx';
import type { ShareGuest } from './share-protocol.ts';
import { showShareDialog, useSharing } from './sharing-store.ts';

const noGuests: readonly ShareGuest[] = [];

export function ShareBar() {
  const guests = useSharing(({ status }) => status?.guests ?? noGuests);
  const endsAt = useSharing(({ status }) => status?.endsAt ?? null);
  const connecting = useSharing(({ status }) => status?.state !== 'sharing');
  const wide = useMediaQuery('(min-width: 1181px)');
  const middle = useMediaQuery(media['beyond-phone']);
  const root = useRef<HTMLElement>(null);
  useFocusKeeper(root);
  const asking = askingOf(guests);
  const [first] = asking;
  const room = first === undefined ? (wide ? 4 : middle ? 2 : 0) : wide ? 2 : 0;
  const shown = byStanding(guests).slice(0, room);
  return (
    <section ref={root} className={styles['bar']} aria-label="Shared bench">
      <Radio className={styles['mark']} />
      <b className={styles['count']}>
        {connecting
          ? 'Connecting to the server…'
          : guests.length === 0
            ? 'Shared, no guest yet'
            : `Shared with ${guestsText(guests.length)}`}
      </b>
      {shown.map((guest) => (
        <Guest key={guest.id} guest={guest} />
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
      <span role="status" className="visually-hidden">
        {announcedText(asking)}
      </span>
      <span className={styles['end']}>
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

function Guest({ guest }: { readonly guest: ShareGuest }) {
  const { right, port, isUsing } = standingOf(guest);
  return (
    <span className={styles['guest']} data-port={isUsing ? port : undefined} data-using={isUsing || undefined}>
      <span className={styles['name']}>{guest.name}</span>
      <span className={styles['does']}>
        {port === null ? <Eye aria-hidden="true" /> : <PortFlag port={port} />}
        {isUsing ? `uses port ${port}` : right === 'use' ? 'may use' : right}
      </span>
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

/** Who uses a port first, then who may do more than watch. */
function byStanding(guests: readonly ShareGuest[]): ShareGuest[] {
  const rank = (guest: ShareGuest) => {
    const { right, isUsing } = standingOf(guest);
    return isUsing ? 0 : right === 'use' ? 1 : right === 'type' ? 2 : 3;
  };
  return [...guests].sort((a, b) => rank(a) - rank(b));
}
