/** The quick guide of the page: whether it has one, and whether it is open. The header's Help opens it. */
import { useEffect } from 'react';
import { pageStore } from './page-store.ts';

const guide = pageStore<{ readonly isOffered: boolean; readonly open: boolean }>({
  isOffered: false,
  open: false,
});

export function useQuickGuide(): boolean {
  return guide.use(({ open }) => open);
}

export function useHasQuickGuide(): boolean {
  return guide.use(({ isOffered }) => isOffered);
}

export function toggleQuickGuide(): void {
  guide.setState(({ open }) => ({ open: !open }));
}

/** Offers the guide of the page until it is left, which closes the guide. */
export function useQuickGuideOffer(): void {
  useEffect(() => {
    guide.setState({ isOffered: true });
    return () => guide.setState({ isOffered: false, open: false });
  }, []);
}
