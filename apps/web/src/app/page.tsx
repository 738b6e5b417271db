import { pagePaths } from '@wirebench/contract/constants';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Spinner } from '../shared/ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { FrameLink, useFramePathname } from './frame-links.tsx';
import styles from './page.module.css';

export interface PageProps {
  readonly title: string;
  readonly footer?: boolean;
  readonly children: ReactNode;
}

/** The frame of one page: its title, its landmark, and what is shown while its code loads or when it fails. */
export function Page({ title, footer = false, children }: PageProps) {
  const pathname = useFramePathname();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <main id="main" tabIndex={-1} className={styles['main']}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<LoadingPage />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      {footer ? <Footer /> : null}
    </>
  );
}

/** Shown while a page's code is fetched; only after 300 ms, so that a quick answer does not flicker. */
function LoadingPage() {
  return (
    <p className={`row ${styles['loading']}`} role="status" data-loading="">
      <Spinner />
      Loading…
    </p>
  );
}

function Footer() {
  return (
    <footer className={`small ${styles['footer']}`}>
      <div className={`page-width ${styles['wrap']}`}>
        <span>Wirebench beta</span>
        <FrameLink to={pagePaths.privacy} className={styles['link']}>
          Privacy
        </FrameLink>
        <FrameLink to={pagePaths.terms} className={styles['link']}>
          Terms
        </FrameLink>
      </div>
    </footer>
  );
}
