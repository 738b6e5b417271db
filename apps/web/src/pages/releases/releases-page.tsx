import { useState } from 'react';
import { VideoDialog } from '../../features/home/video-dialog.tsx';
import { ReleaseManager } from '../../features/releases/release-manager.tsx';

/** `/app/releases` */
export function ReleasesPage() {
  const [watching, setWatching] = useState(false);
  const close = () => setWatching(false);
  return (
    <>
      <ReleaseManager onWatchVideo={() => setWatching(true)} />
      <VideoDialog tool={watching ? 'releases' : null} onClose={close} onChooseFamily={close} />
    </>
  );
}
