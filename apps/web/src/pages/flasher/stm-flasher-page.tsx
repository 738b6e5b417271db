import { StmFlasher } from '../../features/flasher-stm/stm-flasher.tsx';
import { stmPage } from '../../features/flasher-stm/stm-page.ts';
import { boardsAtWork, startFlasher } from '../../workbench/flasher/store/flasher-store.ts';
import { releaseSource } from './release-source.ts';

/** Boards that must not be left now. */
export { boardsAtWork };

startFlasher(stmPage);

/** What the address named when the page was opened. */
const source = releaseSource(location.search);

/** `/stm_flasher.html`, with `?type=…&id=…` for the files of a release. */
export function FlasherPage() {
  return <StmFlasher releaseSource={source} />;
}
