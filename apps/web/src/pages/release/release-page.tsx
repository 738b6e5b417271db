import { useState } from 'react';
import { loadRelease } from '../../features/release/load-release.ts';
import { ReleaseProblemView } from '../../features/release/release-problem.tsx';
import { ReleaseView } from '../../features/release/release-view.tsx';
import { type LoadRelease, useRelease } from '../../features/release/use-release.ts';
import { releaseAddress } from '../../shared/release-address.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './release-page.module.css';

/** Behind a share link. @param load replaced in tests */
export function ReleasePage({ load = loadRelease }: { readonly load?: LoadRelease }) {
  const [address] = useState(() => releaseAddress(location.search));
  const { state, again } = useRelease(address, load);
  switch (state.kind) {
    case 'loading':
      return (
        <p className={`row ${styles['loading']}`} role="status">
          <Spinner /> Loading the release…
        </p>
      );
    case 'problem':
      return <ReleaseProblemView problem={state.problem} detail={state.detail} onAgain={again} />;
    case 'release':
      return <ReleaseView release={state.release} />;
  }
}
