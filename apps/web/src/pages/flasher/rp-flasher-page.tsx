import { RpFlasher } from '../../features/flasher/families/rp/rp-flasher.tsx';
import { rpPage } from '../../features/flasher/families/rp/rp-page.ts';
import { FlasherVisit } from '../../features/flasher/flasher-visit.tsx';
import { heldPorts } from '../../features/flasher/store/flasher-store.ts';
import { useReleaseSource } from './use-release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { heldPorts };

/** Page `/rp_flasher.html`, with `?type=…&id=…` or `?manifest=…` for the files of a release. */
export function FlasherPage() {
  const source = useReleaseSource();
  return (
    <FlasherVisit family={rpPage}>
      <RpFlasher releaseSource={source} />
    </FlasherVisit>
  );
}
