import { useEffect, useState } from 'react';
import { publicConfig } from '../../shared/config/public-config.ts';
import { defaultRelease } from './default-release.ts';

/** Where 'Flash Latest Release' leads: the deployment's address, the demo until that is known or where it cannot be asked. */
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
