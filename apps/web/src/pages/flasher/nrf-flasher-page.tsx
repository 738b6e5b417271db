import { NordicFlasher } from '../../features/flasher/families/nordic/nordic-flasher.tsx';
import { nordicPage } from '../../features/flasher/families/nordic/nordic-page.ts';
import { boardsAtWork, startFlasher } from '../../features/flasher/store/flasher-store.ts';
import { releaseSource } from './release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { boardsAtWork };

startFlasher(nordicPage);

/** Release that the address named when the page was opened. */
const source = releaseSource(location.search);

/**
 * Page `/nrf_flasher.html`. These boards have no releases: with `?type=…&id=…` it leads to the flasher of the
 * release.
 */
export function FlasherPage() {
  return <NordicFlasher releaseSource={source} />;
}
