import { useEffect } from 'react';
import { refreshJkits } from './jkit-call.ts';

/** Asks anew when one comes back to this window: the query library hears of tabs only, and windows may stand side by side. */
export function useRefetchOnFocus(): void {
  useEffect(() => {
    const refetch = () => void refreshJkits();
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, []);
}
