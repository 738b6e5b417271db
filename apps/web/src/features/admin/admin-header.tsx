import { pagePaths } from '@wirebench/contract/constants';
import { LogOut } from 'lucide-react';
import { Link } from 'react-router';
import { signOut } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import type { UserInfo } from '../../shared/session/user-info.ts';
import { BrandMark } from '../../shared/ui/brand-mark.tsx';
import { Button } from '../../shared/ui/button.tsx';
import styles from './admin-header.module.css';

export interface AdminHeaderProps {
  readonly user: UserInfo;
  /** Subject of the page. */
  readonly subtitle: string;
}

export function AdminHeader({ user, subtitle }: AdminHeaderProps) {
  const { activity } = useSession();
  return (
    <header className={styles['header']}>
      <div className={`page-width ${styles['wrap']}`}>
        <Link to={pagePaths.home} aria-label="Wirebench home" className={styles['home']}>
          <BrandMark />
        </Link>
        <div>
          <h1>Admin Dashboard</h1>
          <p>{subtitle}</p>
        </div>
        <div className={styles['who']}>
          <b>{user.name || user.email}</b>
          {user.email === null ? null : <small>{user.email}</small>}
        </div>
        <Button icon={<LogOut />} busy={activity === 'signing-out'} onClick={() => void signOut('console')}>
          Logout
        </Button>
      </div>
    </header>
  );
}
