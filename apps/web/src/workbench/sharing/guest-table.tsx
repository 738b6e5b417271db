/** Guests and what each may do with each port, and what they ask for. */
import { systemClock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import styles from './guest-table.module.css';
import { askingOf, asksText, hereText, rightNames } from './guest-texts.ts';
import { refuse, removeGuest, setRight } from './share-actions.ts';
import type { Right, ShareGuest } from './share-protocol.ts';
import { useSharing } from './sharing-store.ts';

const noGuests: readonly ShareGuest[] = [];
const noPorts: readonly PortNumber[] = [];
const rights = Object.keys(rightNames) as Right[];

export function GuestTable() {
  const guests = useSharing(({ status }) => status?.guests ?? noGuests);
  const ports = useSharing(({ status }) => status?.ports ?? noPorts);
  const now = useNow(1_000);
  return (
    <>
      {guests.length === 0 ? (
        <p className={styles['none']}>Nobody has opened the link yet.</p>
      ) : (
        <div className={styles['scroll']}>
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
              {guests.map((guest) => (
                <tr key={guest.id}>
                  <th scope="row" className={styles['guest']}>
                    <b>{guest.name}</b>
                    <small>{hereText(guest, now)}</small>
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
        </div>
      )}
      {ports.length === 0 ? (
        <p className={styles['none']}>No port is connected, so there is nothing to see yet.</p>
      ) : null}
      <Requests guests={guests} />
    </>
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
  return askingOf(guests).map(({ guest, name, port, right }) => (
    <div key={`${guest} ${port}`} className={styles['request']}>
      <span>
        <b>{name}</b> asks to {asksText[right]} port {port}
      </span>
      <Button size="sm" aria-label={`Not now, ${name}`} onClick={() => refuse(guest, port)}>
        Not now
      </Button>
      <Button size="sm" aria-label={`Allow ${name}`} onClick={() => setRight(guest, port, right)}>
        Allow
      </Button>
    </div>
  ));
}

/** The time, as often as every so many milliseconds. */
function useNow(every: number): number {
  const [now, setNow] = useState(() => systemClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
