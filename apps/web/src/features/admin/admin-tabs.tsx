import type { AdminCounts } from '@wirebench/contract';
import { pagePaths } from '@wirebench/contract/constants';
import { Link, useLocation } from 'react-router';
import styles from './admin-tabs.module.css';
import { useAdminCounts } from './moderation-calls.ts';

interface AdminTab {
  readonly path: string;
  readonly name: string;
  readonly count?: keyof AdminCounts;
}

/** Reports first: they wait for an operator. */
const tabs: readonly AdminTab[] = [
  { path: pagePaths.adminReports, name: 'Reports', count: 'reports' },
  { path: pagePaths.admin, name: 'Feedback', count: 'feedback' },
  { path: pagePaths.adminItems, name: 'Public items' },
  { path: pagePaths.adminAccounts, name: 'Accounts', count: 'accounts' },
  { path: pagePaths.adminAudit, name: 'Audit', count: 'audit' },
  { path: pagePaths.adminState, name: 'Server' },
];

/** Tabs of the pages below the dashboard, with the number of entries of their lists. */
export function AdminTabs({ user }: { readonly user: string }) {
  const { pathname } = useLocation();
  const counts = useAdminCounts(user);
  return (
    <nav className={styles['tabs']} aria-label="Administration">
      {tabs.map(({ path, name, count }) => (
        <Link key={path} to={path} aria-current={path === pathname ? 'page' : undefined}>
          {name}
          {count === undefined || counts === undefined ? null : (
            <>
              {' '}
              <span className={styles['count']} data-waits={count === 'reports' && counts.reports > 0 ? '' : undefined}>
                {counts[count].toLocaleString('en')}
              </span>
            </>
          )}
        </Link>
      ))}
    </nav>
  );
}
