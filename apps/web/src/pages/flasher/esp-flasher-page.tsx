import { EspFlasher } from '../../features/flasher/families/esp/esp-flasher.tsx';
import { espPage } from '../../features/flasher/families/esp/esp-page.ts';
import { FlasherVisit } from '../../features/flasher/flasher-visit.tsx';
import { heldPorts } from '../../features/flasher/store/flasher-store.ts';
import { ImprovPlace } from '../../features/flasher/write/improv-place.tsx';
import { useReleaseSource } from './use-release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { heldPorts };

/** Page `/esp_flasher.html`, with `?type=…&id=…` or `?manifest=…` for the files of a release. */
export function FlasherPage() {
  const source = useReleaseSource();
  return (
    <FlasherVisit family={espPage}>
      <EspFlasher releaseSource={source} />
      <ImprovPlace />
    </FlasherVisit>
  );
}
