import { type ReactNode, useEffect, useMemo } from 'react';
import { BrowserRouter, Link, useLocation, useNavigate } from 'react-router';
import { appNavigation } from '../shared/app-navigation.ts';
import { CopyByHand } from '../shared/files/copy-by-hand.tsx';
import { Toaster } from '../shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { FramePlaceContext } from './frame-links.tsx';
import { AppRoutes } from './routes.tsx';
import { UpdateOffer } from './update-offer.tsx';

/** Lets the frame around the app's pages lead through the router. */
export function RouterFrame({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    appNavigation.show = (href) => void navigate(href);
  }, [navigate]);
  const place = useMemo(() => ({ pathname, Link }), [pathname]);
  return <FramePlaceContext value={place}>{children}</FramePlaceContext>;
}

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <RouterFrame>
          <AppRoutes />
        </RouterFrame>
      </BrowserRouter>
      <UpdateOffer />
      <Toaster />
      <CopyByHand />
    </ErrorBoundary>
  );
}
