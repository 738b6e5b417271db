import { type ReactNode, useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { FramePlaceContext } from './frame-links.tsx';

/** Lets the frame around the app's pages lead through the router. */
export function RouterFrame({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  const place = useMemo(() => ({ pathname, Link }), [pathname]);
  return <FramePlaceContext value={place}>{children}</FramePlaceContext>;
}
