/** Addresses and codes of the release, for its publisher: folded, and fetched when it is opened. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import styles from './for-publishers.module.css';
import type { Release } from './load-release.ts';

const loadWays = async () => (await import('./publish-ways.tsx')).PublishWays;

export interface ForPublishersProps {
  readonly release: Release;
  /** True: ESP Web Tools supports a chip of the release. */
  readonly installable: boolean;
}

export function ForPublishers({ release, installable }: ForPublishersProps) {
  const [open, setOpen] = useState(false);
  const Ways = useLoaded(open, loadWays, () => setOpen(false));
  return (
    <details className={styles['publishers']} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <ChevronRight />
        <h2>For publishers</h2>
        <span className="small">Link, badge, and a flash button for your own page</span>
      </summary>
      {Ways === null ? null : <Ways release={release} installable={installable} />}
    </details>
  );
}
