import { StmFlasher } from '../../features/flasher/families/stm/stm-flasher.tsx';
import { stmPage } from '../../features/flasher/families/stm/stm-page.ts';
import { boardsAtWork, startFlasher } from '../../features/flasher/store/flasher-store.ts';
import { releaseSource } from './release-source.ts';

/** The document warns before the user leaves the page while one of these boards is at work. */
export { boardsAtWork };

startFlasher(stmPage);

/** Release that the address named when the page was opened. */
const source = releaseSource(location.search);

/** Page `/stm_flasher.html`, with `?type=…&id=…` for the files of a release. */
export function FlasherPage() {
  return <StmFlasher releaseSource={source} />;
}
