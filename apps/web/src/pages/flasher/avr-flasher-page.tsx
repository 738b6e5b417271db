import { AvrFlasher } from '../../features/flasher/families/avr/avr-flasher.tsx';
import { avrPage } from '../../features/flasher/families/avr/avr-page.ts';
import { FlasherVisit } from '../../features/flasher/flasher-visit.tsx';
import { heldPorts } from '../../features/flasher/store/flasher-store.ts';
import { useReleaseSource } from './use-release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { heldPorts };

/** Page `/avr_flasher.html`, with `?type=…&id=…` or `?manifest=…` for the files of a release. */
export function FlasherPage() {
  const source = useReleaseSource();
  return (
    <FlasherVisit family={avrPage}>
      <AvrFlasher releaseSource={source} />
    </FlasherVisit>
  );
}
