import { pagePaths, staticPages } from '@wirebench/contract/constants';
import { NavLink } from 'react-router';
import styles from './navigation.module.css';

const pages = [
  { to: pagePaths.releases, label: 'Releases' },
  { to: pagePaths.esp32, label: 'ESP32 app' },
  { to: pagePaths.uartDocs, label: 'Docs' },
];

/** The ways to the tools. The flasher is a document of its own, so its link is a plain one. */
export function Navigation() {
  return (
    <nav aria-label="Main" className={styles['navigation']}>
      <NavLink to={pagePaths.uart} end>
        Terminal
      </NavLink>
      <a href={staticPages.espFlasher}>Flasher</a>
      {pages.map(({ to, label }) => (
        <NavLink key={to} to={to} end>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
