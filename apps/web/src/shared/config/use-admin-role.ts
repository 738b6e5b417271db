/** For the header of every document. The light documents start without TanStack Query, so this goes without it too. */
import { useEffect, useState } from 'react';

/** The realm role that this server asks of an administrator; null until it has said so. @param wanted false asks nothing */
export function useAdminRole(wanted: boolean): string | null {
  const [role, setRole] = useState<string | null>(null);
  useEffect(() => {
    if (!wanted) {
      return;
    }
    // Fetched then: the start of a page does without it.
    import('./public-config.ts')
      .then(({ publicConfig }) => publicConfig())
      .then(({ adminRole }) => setRole(adminRole))
      .catch((error: unknown) => console.warn('Whether this account may open the dashboard is not known.', error));
  }, [wanted]);
  return role;
}
