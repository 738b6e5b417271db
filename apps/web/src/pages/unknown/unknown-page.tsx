import { pagePaths } from '@wirebench/contract/constants';
import { House } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import message from '../../shared/ui/message-page.module.css';
import styles from './unknown-page.module.css';

/** Any address that is no page. It stays in the address bar, so that a slip can be mended there. */
export function UnknownPage() {
  const { pathname } = useLocation();
  return (
    <section className={classNames(message['page'], styles['unknown'])}>
      <svg viewBox="0 0 220 44" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
        <path d="M0 40V4H40V40H60V4H80V40H100" />
        <path d="M120 40H140V4H160V40H180V4H220" strokeDasharray="4 4" />
      </svg>
      <h1>There is no page at this address</h1>
      <p>
        There is nothing at <code>{pathname}</code>. Check the address for typos, or start from the home page.
      </p>
      <Link to={pagePaths.home} className={buttonClass({ variant: 'primary' })}>
        <House />
        Go to the home page
      </Link>
    </section>
  );
}
