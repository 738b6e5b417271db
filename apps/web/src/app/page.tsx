import { type ReactNode, Suspense, useEffect } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { useFramePathname } from './frame-links.tsx';
import { LoadingPage } from './loading-page.tsx';
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
