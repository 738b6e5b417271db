/** Help in the header of every page: the quick guide of a page that has one, its video, and its documentation. */
import { pagePaths } from '@wirebench/contract/constants';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { toggleQuickGuide, useHasQuickGuide } from '../shared/quick-guide.ts';
import { IconButton } from '../shared/ui/icon-button.tsx';
import { Menu } from '../shared/ui/menu.tsx';
import { useLoaded } from '../shared/ui/use-loaded.ts';
import type { DemoVideoId } from '../shared/videos/demo-videos.ts';
import { useFramePathname } from './frame-links.tsx';
import { guideAt } from './navigation.tsx';

const videos: Readonly<Record<string, DemoVideoId>> = {
  [pagePaths.uartDocs]: 'uart',
  [pagePaths.espFlasherDocs]: 'flasher',
  [pagePaths.releasesDocs]: 'releases',
  [pagePaths.esp32Docs]: 'lab',
};

const loadVideo = () => import('../shared/videos/watch-button.tsx');

export function HelpButton() {
  const docs = guideAt(useFramePathname());
  const hasGuide = useHasQuickGuide();
  const [watching, setWatching] = useState(false);
  const close = () => setWatching(false);
  const loaded = useLoaded(watching, loadVideo, close);
  return (
    <>
      <Menu
        align="end"
        items={[
          ...(hasGuide ? [{ label: 'Quick guide', onSelect: toggleQuickGuide }] : []),
          { label: 'Watch video', onSelect: () => setWatching(true) },
          { label: 'Docs', onSelect: () => window.open(docs, '_blank', 'noopener') },
        ]}
        trigger={(props) => <IconButton {...props} label="Help" variant="quiet" icon={<CircleHelp />} />}
      />
      {loaded === null ? null : (
        <loaded.WatchDialog video={videos[docs] ?? 'uart'} title="Watch video" open={watching} onClose={close} />
      )}
    </>
  );
}
