/** Table of the guests: their rights for each port, and their requests. */
import type { PortNumber } from '@wirebench/serial';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Right, ShareGuest } from '../../protocol/share-protocol.ts';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { useTwoPresses } from '../../shared/ui/use-two-presses.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import styles from './guest-table.module.css';
import { askingOf, asksText, guestsText, hereText, rightNames } from './guest-texts.ts';
import { lowerAll, refuseAll, removeGuest, setRight } from './share-actions.ts';
import { useSharing } from './sharing-store.ts';
import { useNow } from './use-now.ts';

const noGuests: readonly ShareGuest[] = [];
const noPorts: readonly PortNumber[] = [];
const rights = Object.keys(rightNames) as Right[];
/** Minimum number of guests for the search by name and the button that sets all of them back to watching. */
const crowd = 8;
/** Minimum number of requests for the button that refuses all of them. */
const severalRequests = 3;

export function GuestTable() {
  const guests = useSharing(({ status }) => status?.guests ?? noGuests);
  const ports = useSharing(({ status }) => status?.ports ?? noPorts);
  return (
    <>
      {guests.length === 0 ? (
        <p className={styles['none']}>Nobody has opened the link yet.</p>
      ) : (
        <Guests ports={ports} />
      )}
      {ports.length === 0 ? (
        <p className={styles['none']}>No port is connected, so there is nothing to see yet.</p>
      ) : null}
      <Requests guests={guests} />
    </>
  );
}

function Guests({ ports }: { readonly ports: readonly PortNumber[] }) {
  const guests = useSharing(({ status }) => status?.guests ?? noGuests);
  const now = useNow(1_000);
  const [sought, setSought] = useState('');
  const wanted = guests.length < crowd ? '' : sought.trim().toLowerCase();
  const found = guests.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {guests.length < crowd ? null : (
        <div className={styles['find']}>
          <TextInput
            aria-label="Find a guest"
            type="search"
            placeholder={`Find one of ${guestsText(guests.length)}`}
            autoComplete="off"
            spellCheck={false}
            value={sought}
            onChange={({ currentTarget }) => setSought(currentTarget.value)}
          />
        </div>
      )}
      {found.length === 0 ? (
        <p className={styles['none']}>No guest matches.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <section className={styles['scroll']} aria-label="Guests" tabIndex={0}>
          <table className={styles['table']} data-ports={ports.length}>
            <thead>
              <tr>
                <th scope="col">Guest</th>
                {ports.map((port) => (
                  <th key={port} scope="col">
                    Port {port}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map((guest) => (
                <tr key={guest.id}>
                  <th scope="row" className={styles['guest']}>
                    <b title={guest.name}>{guest.name}</b>
                    <small data-away={guest.awaySince === null ? undefined : true}>{hereText(guest, now)}</small>
                  </th>
                  {ports.map((port) => (
                    <td key={port}>
                      <RightField guest={guest} port={port} />
                    </td>
                  ))}
                  <td>
                    <IconButton
                      label={`Remove ${guest.name}`}
                      size="sm"
                      variant="quiet"
                      icon={<X />}
                      onClick={() => removeGuest(guest.id)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <LowerAll guests={guests} />
    </>
  );
}

/**
 * Reduces the rights of all guests to watching, for example in a class. While a guest uses a port, the button must be
 * pressed twice.
 */
function LowerAll({ guests }: { readonly guests: readonly ShareGuest[] }) {
  const { armed, press, disarm } = useTwoPresses(lowerAll, null);
  const more = guests.filter(({ ports }) => ports.some(({ right }) => right !== 'watch'));
  const users = guests.filter(({ ports }) => ports.some(({ isUsing }) => isUsing));
  const asks = armed && users.length > 0;
  if (armed && !asks) {
    // No guest has more than the right to watch, so the next press needs a confirmation again.
    disarm();
  }
  if (guests.length < crowd || more.length === 0) {
    return null;
  }
  return (
    <div className={`row ${styles['all']}`}>
      <span>
        {guestsText(more.length)} of {guests.length} may do more than watch
      </span>
      <Button
        size="sm"
        variant={asks ? 'danger' : 'default'}
        onBlur={disarm}
        onClick={users.length === 0 ? lowerAll : press}
      >
        {asks
          ? `Press again: ${guestsText(users.length)} ${users.length === 1 ? 'loses' : 'lose'} the port`
          : 'Set everyone to Watch'}
      </Button>
    </div>
  );
}

interface RightFieldProps {
  readonly guest: ShareGuest;
  readonly port: PortNumber;
}

function RightField({ guest, port }: RightFieldProps) {
  const known = guest.ports.find((one) => one.port === port);
  return (
    <span className={styles['right']} data-port={port} data-use={known?.right === 'use' || undefined}>
      <PortFlag port={port} />
      <select
        aria-label={`${guest.name}, port ${port}`}
        value={known?.right ?? 'watch'}
        onChange={({ currentTarget }) => setRight(guest.id, port, currentTarget.value as Right)}
      >
        {rights.map((right) => (
          <option key={right} value={right}>
            {rightNames[right]}
          </option>
        ))}
      </select>
    </span>
  );
}

function Requests({ guests }: { readonly guests: readonly ShareGuest[] }) {
  const asking = askingOf(guests);
  return asking.length === 0 ? null : (
    <>
      {asking.length < severalRequests ? null : (
        <div className={`row ${styles['all']}`}>
          <span>{asking.length} requests</span>
          <Button size="sm" onClick={refuseAll}>
            Refuse all
          </Button>
        </div>
      )}
      <ul className={styles['requests']} aria-label="Requests">
        {asking.map((one) => (
          <li key={`${one.guest} ${one.port}`} data-request className={`buttons ${styles['request']}`}>
            <span>
              <b>{one.name}</b> asks to {asksText[one.right]} port {one.port}
            </span>
            <AnswerButtons asking={one} />
          </li>
        ))}
      </ul>
    </>
  );
}
