import { EspFlasher } from '../../features/flasher/families/esp/esp-flasher.tsx';
import { espPage } from '../../features/flasher/families/esp/esp-page.ts';
import { boardsAtWork, startFlasher } from '../../features/flasher/store/flasher-store.ts';
import { releaseSource } from './release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { boardsAtWork };

startFlasher(espPage);

/** Release that the address named when the page was opened. */
const source = releaseSource(location.search);

/** Page `/esp_flasher.html`, with `?type=…&id=…` for the files of a release. */
export function FlasherPage() {
  return <EspFlasher releaseSource={source} />;
}
