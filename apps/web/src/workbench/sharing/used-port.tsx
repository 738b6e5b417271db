/** Text about a port that a guest uses, and the button to take the port back. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Users } from 'lucide-react';
import { Button, type ButtonProps } from '../../shared/ui/button.tsx';
import { useBenchStatus } from '../bench-status.ts';
import styles from '../strip.module.css';
import { useSharing } from './sharing-store.ts';

export interface TakeBackButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly port: PortNumber;
  readonly user: string;
}

export function TakeBackButton({ port, user, size = 'sm', variant }: TakeBackButtonProps) {
  // The code is already loaded on a page that shows a port of a shared bench.
  const onClick = () => void import('./share-actions.ts').then(({ takeBack }) => takeBack(port));
  return (
    <Button size={size} variant={variant} aria-label={`Take back port ${port} from ${user}`} onClick={onClick}>
      Take back
    </Button>
  );
}

/** Shows one line for each port that a guest uses. */
export function UsedPortStrips() {
  const users = useBenchStatus((view) => view.users);
  const guests = useSharing(({ status }) => status?.guests);
  // Names of shown guests are unique.
  const away = (guests ?? []).filter(({ awaySince }) => awaySince !== null).map(({ name }) => name);
  return portNumbers.map((port) => {
    const user = users[port];
    return user === null ? null : (
      <div key={port} className={`row ${styles['strip']}`}>
        <Users />
        <span>
          <b>
            {user} uses port {port}.
          </b>{' '}
          {away.includes(user) ? 'The connection of this guest is lost.' : 'You see what passes.'}
        </span>
        <span className={styles['end']}>
          <TakeBackButton port={port} user={user} />
        </span>
      </div>
    );
  });
}
