import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { useLeaveWarning } from './leave-warning.ts';
import { takeNewVersion, useHasNewerVersion } from './newer-version.ts';
import styles from './update-offer.module.css';

/** Offers a newer version, and holds its tongue while a reload would cost something: an open port, a flash. */
export function UpdateOffer() {
  const ready = useHasNewerVersion();
  const atWork = useLeaveWarning();
  const [later, setLater] = useState(false);
  return (
    <div role="status" className={styles['place']}>
      {ready && !atWork && !later ? (
        <div className={`row ${styles['offer']}`}>
          <p>
            <b>A newer version of Wirebench is ready.</b> Reload to start it. The console will be empty.
          </p>
          <Button size="sm" icon={<RotateCw />} onClick={takeNewVersion}>
            Reload
          </Button>
          <Button size="sm" variant="quiet" onClick={() => setLater(true)}>
            Later
          </Button>
        </div>
      ) : null}
    </div>
  );
}
