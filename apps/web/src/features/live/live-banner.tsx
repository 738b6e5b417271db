/** One line below the ports: the name of the host, the guest's rights and the next step. */
import type { PortNumber } from '@wirebench/serial';
import { Eye, LogOut } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { LevelIcon } from '../../shared/ui/level-icon.tsx';
import { leave } from '../../workbench/live/join.ts';
import { useLive } from '../../workbench/live/live-store.ts';
import { endingWords, othersText, rightsText } from '../../workbench/live/live-words.ts';
import styles from './live.module.css';
import { JoinAgain } from './live-message.tsx';
import { RightButton } from './right-button.tsx';

/** @param port The port that the page shows. */
export function LiveBanner({ port }: { readonly port: PortNumber }) {
  const state = useLive(({ tick }) => tick?.state ?? 'joining');
  const why = useLive(({ tick }) => tick?.why ?? null);
  const host = useLive(({ tick }) => tick?.host ?? '');
  const isHostAway = useLive(({ tick }) => tick?.isHostAway ?? false);
  if (state === 'ended') {
    const { title, text, again } = endingWords(why);
    return (
      <div className={classNames(styles['banner'], styles['over'])} role="status">
        <LevelIcon level="warning" />
        <p>
          <b>{title}.</b> <span>{text} The log stays until you close this page.</span>
        </p>
        {again ? <JoinAgain size="sm" /> : null}
      </div>
    );
  }
  if (isHostAway || state !== 'joined') {
    return (
      <div className={classNames(styles['banner'], styles['over'])} role="status">
        <LevelIcon level="warning" />
        <p>
          <b>
            {isHostAway
              ? `The connection of ${host} is lost.`
              : state === 'joining'
                ? 'Joining the shared bench…'
                : 'Your connection is lost.'}
          </b>{' '}
          <span>
            {isHostAway ? 'Waiting for it to come back.' : 'Trying again; what passes meanwhile is fetched afterwards.'}
          </span>
        </p>
        <LeaveButton />
      </div>
    );
  }
  return (
    <section className={styles['banner']} aria-label="Shared bench">
      <Eye />
      <Rights host={host} />
      <LeaveButton />
      <span className={styles['next']}>
        <RightButton port={port} size="sm" variant="primary" />
      </span>
    </section>
  );
}

function Rights({ host }: { readonly host: string }) {
  const ports = useLive(({ tick }) => tick?.ports ?? null);
  const people = useLive(({ tick }) => tick?.people ?? null);
  return (
    <p>
      <b>{host} shares this bench with you.</b> <span role="status">{rightsText(ports ?? [])}</span>{' '}
      <span className={styles['others']}>{othersText({ people: people ?? [], ports: ports ?? [] })}</span>
    </p>
  );
}

function LeaveButton() {
  return (
    <Button size="sm" icon={<LogOut />} onClick={leave}>
      Leave
    </Button>
  );
}
