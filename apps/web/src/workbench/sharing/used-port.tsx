/** Text about a port that a guest uses, and the button to take it back. */
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
  // A page with a port of a shared bench has already loaded this code.
  const onClick = () => void import('./share-actions.ts').then(({ takeBack }) => takeBack(port));
  return (
    <Button size={size} variant={variant} aria-label={`Take back port ${port} from ${user}`} onClick={onClick}>
      Take back
    </Button>
  );
}

/** One line for each port that a guest uses. */
export function UsedPortStrips() {
  const users = useBenchStatus((view) => view.users);
  const guests = useSharing(({ status }) => status?.guests);
  // No two guests are shown under one name.
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
