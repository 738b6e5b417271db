/**
 * Administrators' role for the header of every document. It does not use TanStack Query, because the light documents
 * start without it.
 */
import { useEffect, useState } from 'react';

/**
 * Returns the realm role that this server requires of an administrator. Null until it is known.
 * @param wanted False: sends no request.
 */
export function useAdminRole(wanted: boolean): string | null {
  const [role, setRole] = useState<string | null>(null);
  useEffect(() => {
    if (!wanted) {
      return;
    }
    // Loaded on demand, so that the page starts without it.
    import('./public-config.ts')
      .then(({ publicConfig }) => publicConfig())
      .then(({ adminRole }) => setRole(adminRole))
      .catch((error: unknown) => console.warn('Whether this account may open the dashboard is not known.', error));
  }, [wanted]);
  return role;
}
