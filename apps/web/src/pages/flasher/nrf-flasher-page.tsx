import { NordicFlasher } from '../../features/flasher-nordic/nordic-flasher.tsx';
import { nordicPage } from '../../features/flasher-nordic/nordic-page.ts';
import { boardsAtWork, startFlasher } from '../../workbench/flasher/store/flasher-store.ts';
import { releaseSource } from './release-source.ts';

/** Boards that must not be left now. */
export { boardsAtWork };

startFlasher(nordicPage);

/** What the address named when the page was opened. */
const source = releaseSource(location.search);

/** `/nrf_flasher.html`. There are no releases for these boards: with `?type=…&id=…` it leads to the flasher of the release. */
export function FlasherPage() {
  return <NordicFlasher releaseSource={source} />;
}
