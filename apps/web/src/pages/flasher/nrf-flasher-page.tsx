import { NordicFlasher } from '../../features/flasher/families/nordic/nordic-flasher.tsx';
import { nordicPage } from '../../features/flasher/families/nordic/nordic-page.ts';
import { FlasherVisit } from '../../features/flasher/flasher-visit.tsx';
import { boardsAtWork } from '../../features/flasher/store/flasher-store.ts';
import { useReleaseSource } from './use-release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { boardsAtWork };

/**
 * Page `/nrf_flasher.html`. These boards have no releases: with `?type=…&id=…` it leads to the flasher of the
 * release.
 */
export function FlasherPage() {
  const source = useReleaseSource();
  return (
    <FlasherVisit family={nordicPage}>
      <NordicFlasher releaseSource={source} />
    </FlasherVisit>
  );
}
