/** Goes without TanStack Query, which this page needs for nothing else. */
import { useEffect, useState } from 'react';
import { publicConfig } from '../../shared/config/public-config.ts';
import { defaultRelease } from './default-release.ts';

/** Where 'Flash Latest Release' leads: the address this server is configured with; the product's own release until that is known. */
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
