import { type ReactNode, useEffect, useMemo } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { appNavigation } from '../shared/app-navigation.ts';
import { FramePlaceContext } from './frame-links.tsx';

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
