/** Sections of a guest's page beside the log: the shared port, the link, and the participants. */
import { deviceName } from '@wirebench/boards/device-name';
import { describePortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { sharedSettings } from '../../protocol/shared-settings.ts';
import { count } from '../../shared/format/numbers.ts';
import { Led } from '../../shared/ui/led.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { useLive } from '../../workbench/live/live-store.ts';
import styles from './live.module.css';

type Fact = readonly [name: string, value: string];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const nothing = '–';

export function PortFacts({ port }: { readonly port: PortNumber }) {
  const shared = useLive(({ tick }) => tick?.ports.find((one) => one.port === port));
  const host = useLive(({ tick }) => tick?.host ?? '');
  const ended = useLive(({ tick }) => tick?.state === 'ended');
  if (shared === undefined) {
    return <p className={styles['note']}>{host} does not share this port.</p>;
  }
  const settings = sharedSettings(shared);
  const [baud = nothing, frame = nothing] = settings === null ? [] : describePortSettings(settings).split(' ');
  const { usbVendorId, usbProductId, user, isYours, present, isSimulated } = shared;
  const info = { ...(usbVendorId !== null && { usbVendorId }), ...(usbProductId !== null && { usbProductId }) };
  return (
    <>
      <Facts
        facts={[
          ['Name', shared.name],
          ['Baud', baud],
          ['Frame', frame],
          ['Flow', settings === null ? nothing : settings.flowControl === 'hardware' ? 'RTS/CTS' : 'none'],
          ['Adapter', present ? (isSimulated ? 'Demo, simulated' : deviceName(info)) : 'unplugged'],
          ...(user === null ? [] : [['Used by', isYours ? 'you' : user] as const]),
        ]}
      />
      {ended ? null : <p className={styles['note']}>Only {host}, or a guest who uses the port, can change these.</p>}
    </>
  );
}

const stateWords = { joining: 'joining', joined: 'live', away: 'lost', ended: 'ended' } as const;

export function LinkFacts() {
  const state = useLive(({ tick }) => tick?.state ?? 'joining');
  const isHostAway = useLive(({ tick }) => tick?.isHostAway ?? false);
  const roundTrip = useLive(({ tick }) => tick?.roundTrip ?? null);
  const delay = useLive(({ tick }) => tick?.delay ?? null);
  const missing = useLive(({ tick }) => tick?.missing ?? 0);
  const endsAt = useLive(({ tick }) => tick?.endsAt ?? null);
  const live = state === 'joined' && !isHostAway;
  return (
    <section className={styles['section']}>
      <h3 className={`row ${styles['title']}`}>
        Link
        <span className={`row tight ${styles['aside']}`}>
          <Led tone={live ? 'success' : 'danger'} /> {isHostAway && state !== 'ended' ? 'waiting' : stateWords[state]}
        </span>
      </h3>
      <Facts
        facts={[
          ['Round trip', milliseconds(live ? roundTrip : null)],
          ['Behind the board', milliseconds(live ? delay : null)],
          ['Missed', `${count(missing)} B`],
          ['Sealed', 'AES-256-GCM'],
          ['Ends', endsAt === null ? nothing : new Date(endsAt).toLocaleTimeString('en-GB', { timeStyle: 'short' })],
        ]}
      />
      <p className={styles['note']}>The server passes sealed frames on. The key is in your link.</p>
    </section>
  );
}

const milliseconds = (value: number | null) => (value === null ? nothing : `${count(Math.round(value))} ms`);

export function HereNow() {
  const host = useLive(({ tick }) => tick?.host ?? '');
  const people = useLive(({ tick }) => tick?.people ?? null) ?? [];
  const guests = useLive(({ tick }) => tick?.guests ?? 0);
  const ended = useLive(({ tick }) => tick?.state === 'ended');
  const more = guests - people.length;
  return ended ? null : (
    <section className={styles['section']}>
      <h3 className={`row ${styles['title']}`}>Here now</h3>
      <ul className={styles['people']}>
        <li>
          <span>{host}</span>
          <span>host</span>
        </li>
        {people.map(({ name, isYou, rights }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two guests may have one name, and nothing else is known of them
          <li key={index}>
            <span>{isYou ? `${name}, you` : name}</span>
            <span>
              {rights.length === 0
                ? 'watch'
                : rights.map(({ port, right }) => (
                    <span key={port} className={styles['right']}>
                      <PortFlag port={port as PortNumber} /> {right}
                    </span>
                  ))}
            </span>
          </li>
        ))}
        {more > 0 ? (
          <li>
            <span>
              and {count(more)} {more === 1 ? 'other' : 'others'}
            </span>
            <span>watch</span>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
