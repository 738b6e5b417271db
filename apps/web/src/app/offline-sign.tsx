import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Badge } from '../shared/ui/badge.tsx';
import { Tooltip } from '../shared/ui/tooltip.tsx';
import styles from './offline-sign.module.css';

/** Says in the header that the browser has no network, and what that means here. */
export function OfflineSign() {
  const online = useSyncExternalStore(followNetwork, () => navigator.onLine);
  return (
    <span role="status" className={styles['sign']}>
      {online ? null : (
        <Tooltip text="The terminal, the flashers and the docs work. Signing in, JKits and releases need the network.">
          {(described) => (
            <span {...described}>
              <Badge tone="warning" icon={<CloudOff />}>
                <span className={styles['word']}>Offline</span>
              </Badge>
            </span>
          )}
        </Tooltip>
      )}
    </span>
  );
}

function followNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
