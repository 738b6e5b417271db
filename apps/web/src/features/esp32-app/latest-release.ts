/** Address of the latest firmware release. Fetched without TanStack Query, which this page needs for nothing else. */
import { useEffect, useState } from 'react';
import { publicConfig } from '../../shared/config/public-config.ts';
import { defaultRelease } from './default-release.ts';

/**
 * Returns the target of 'Flash Latest Release': the address in the server's configuration, and the product's own
 * release until that is known.
 */
export function useLatestRelease(): string {
  const [address, setAddress] = useState(defaultRelease);
  useEffect(() => {
    let shown = true;
    publicConfig().then(
      ({ latestReleaseUrl }) => {
        if (shown && latestReleaseUrl !== '') {
          setAddress(latestReleaseUrl);
        }
      },
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, []);
  return address;
}
