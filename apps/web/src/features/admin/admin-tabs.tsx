import { pagePaths } from '@wirebench/contract/constants';
import { Link, useLocation } from 'react-router';
import styles from './admin-tabs.module.css';

const tabs = [
  { path: pagePaths.admin, name: 'Feedback' },
  { path: pagePaths.adminReports, name: 'Reports' },
  { path: pagePaths.adminItems, name: 'Public items' },
  { path: pagePaths.adminAccounts, name: 'Accounts' },
  { path: pagePaths.adminAudit, name: 'Audit' },
] as const;

/** Tabs of the pages below the dashboard. */
export function AdminTabs() {
  const { pathname } = useLocation();
  return (
    <nav className={styles['tabs']} aria-label="Administration">
      {tabs.map(({ path, name }) => (
        <Link key={path} to={path} aria-current={path === pathname ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
