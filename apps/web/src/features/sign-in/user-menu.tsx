import { pagePaths } from '@wirebench/contract/constants';
import { ChevronDown, LogOut, MessagesSquare, UserPen } from 'lucide-react';
import { useState } from 'react';
import { useAdminRole } from '../../shared/config/use-admin-role.ts';
import { signOut } from '../../shared/session/sign-in.ts';
import { initials, type UserInfo } from '../../shared/session/user-info.ts';
import { Menu } from '../../shared/ui/menu.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import styles from './user-menu.module.css';

export interface UserMenuProps {
  readonly user: UserInfo;
  readonly signingOut: boolean;
}

const loadNameDialog = () => import('./public-name-dialog.tsx');

export function UserMenu({ user, signingOut }: UserMenuProps) {
  const adminRole = useAdminRole(user.roles.length > 0);
  const [naming, setNaming] = useState(false);
  const nameDialog = useLoaded(naming, loadNameDialog, () => setNaming(false));
  return (
    <>
      <AccountMenu
        user={user}
        signingOut={signingOut}
        isAdmin={adminRole !== null && user.roles.includes(adminRole)}
        onName={() => setNaming(true)}
      />
      {nameDialog === null ? null : (
        <nameDialog.PublicNameDialog key={user.name} user={user.name} open={naming} onClose={() => setNaming(false)} />
      )}
    </>
  );
}

interface AccountMenuProps extends UserMenuProps {
  readonly isAdmin: boolean;
  readonly onName: () => void;
}

function AccountMenu({ user, signingOut, isAdmin, onName }: AccountMenuProps) {
  return (
    <Menu
      align="end"
      trigger={(props) => (
        <button {...props} type="button" className={`row ${styles['badge']}`}>
          <Avatar user={user} />
          <span className="visually-hidden">Account of</span>{' '}
          <span className={`ellipsis ${styles['name']}`}>{user.name}</span>
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
        ...(isAdmin
          ? [
              {
                label: 'Admin Dashboard',
                icon: <MessagesSquare />,
                onSelect: () => location.assign(pagePaths.admin),
              },
              'separator' as const,
            ]
          : []),
        { label: 'Public name', icon: <UserPen />, onSelect: onName },
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

/** The user's picture, or initials on the accent colour. Hidden from screen readers, because the name is beside it. */
function Avatar({ user }: { readonly user: UserInfo }) {
  return user.picture === null ? (
    <span className={styles['avatar']} aria-hidden="true">
      {initials(user.name)}
    </span>
  ) : (
    <img className={styles['avatar']} src={user.picture} alt="" referrerPolicy="no-referrer" width={24} height={24} />
  );
}
