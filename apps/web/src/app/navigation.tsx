import { allFamilies } from '@wirebench/boards';
import { esp32BenchPage, livePage, logPage, pagePaths, staticPages } from '@wirebench/contract/constants';
import { hasServer } from '../shared/edition.ts';
import { FrameLink, useFramePathname } from './frame-links.tsx';
import styles from './navigation.module.css';

const pages = [
  ...(hasServer ? [{ to: pagePaths.releases, label: 'Releases' }] : []),
  { to: pagePaths.esp32, label: 'ESP32 bench' },
];

/** Documents of their own, and the page of the navigation that each belongs to. */
const homes: Readonly<Record<string, string>> = {
  [livePage]: pagePaths.uart,
  [logPage]: pagePaths.uart,
  [esp32BenchPage]: pagePaths.esp32,
};

const flashers: readonly string[] = allFamilies.map(({ page }) => page);

/** Pages that are left open while one reads: a board may be connected there. */
const benches: readonly string[] = [pagePaths.uart, livePage, logPage, esp32BenchPage, ...flashers];

/** The guide of where one is. */
export function guideAt(pathname: string): string {
  if (flashers.includes(pathname) || pathname.startsWith(pagePaths.espFlasher)) {
    return pagePaths.espFlasherDocs;
  }
  if (pathname === esp32BenchPage || pathname.startsWith(pagePaths.esp32)) {
    return pagePaths.esp32Docs;
  }
  const ofReleases = hasServer && (pathname === staticPages.release || pathname.startsWith(pagePaths.releases));
  return ofReleases ? pagePaths.releasesDocs : pagePaths.uartDocs;
}

/** The ways to the tools. */
export function Navigation() {
  const pathname = useFramePathname();
  const here = homes[pathname] ?? pathname;
  const currentAt = (path: string) => (path === here ? 'page' : undefined);
  return (
    <nav aria-label="Main" className={styles['navigation']}>
      <FrameLink to={pagePaths.uart} aria-current={currentAt(pagePaths.uart)}>
        Terminal
      </FrameLink>
      <FrameLink to={staticPages.espFlasher} aria-current={flashers.includes(pathname) ? 'page' : undefined}>
        Flasher
      </FrameLink>
      {pages.map(({ to, label }) => (
        <FrameLink key={to} to={to} aria-current={currentAt(to)}>
          {label}
        </FrameLink>
      ))}
      <FrameLink
        to={guideAt(pathname)}
        aria-current={pathname.endsWith('/docs') ? 'page' : undefined}
        target={benches.includes(pathname) ? '_blank' : undefined}
      >
        Docs
      </FrameLink>
    </nav>
  );
}
