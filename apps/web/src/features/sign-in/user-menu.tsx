import { pagePaths } from '@wirebench/contract/constants';
import { ChevronDown, LogOut, MessagesSquare } from 'lucide-react';
import { signOut } from '../../shared/session/sign-in.ts';
import type { UserInfo } from '../../shared/session/user-info.ts';
import { Menu } from '../../shared/ui/menu.tsx';
import { Avatar } from './avatar.tsx';
import styles from './user-menu.module.css';

export interface UserMenuProps {
  readonly user: UserInfo;
  readonly signingOut: boolean;
}

/** The realm role that reads feedback, unless the server is set up with another one: its dashboard is then opened by its address. */
const adminRole = 'admin';

export function UserMenu({ user, signingOut }: UserMenuProps) {
  return (
    <Menu
      align="end"
      trigger={(props) => (
        <button {...props} type="button" className={styles['badge']}>
          <Avatar user={user} />
          <span className="visually-hidden">Account of</span> <span className={styles['name']}>{user.name}</span>
          <ChevronDown />
        </button>
      )}
      header={
        <div className={styles['who']}>
          <Avatar user={user} />
          <div className={styles['facts']}>
            <b>{user.name}</b>
            {user.email === null ? null : <small>{user.email}</small>}
          </div>
        </div>
      }
      items={[
        ...(user.roles.includes(adminRole)
          ? [
              {
                label: 'Admin Dashboard',
                icon: <MessagesSquare />,
                onSelect: () => location.assign(pagePaths.admin),
              },
              'separator' as const,
            ]
          : []),
        {
          label: signingOut ? 'Signing out...' : 'Sign out',
          icon: <LogOut />,
          onSelect: () => void signOut(),
          disabled: signingOut,
          keepsOpen: true,
        },
      ]}
    />
  );
}
