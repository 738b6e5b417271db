import { setChipSources } from '../../features/lab/devices/known-chip.ts';
import { Lab } from '../../features/lab/lab.tsx';
import { connect, demoBoards } from '../../features/lab/store/lab-actions.ts';
import { boardsOnBench } from '../../features/lab/store/lab-store.ts';
import { hasServer } from '../../shared/edition.ts';

const loadSources = () => import('./chip-sources.ts');

setChipSources([
  async () => (await loadSources()).fromEditor(),
  ...(hasServer ? [async (addresses: readonly number[]) => (await loadSources()).fromServer(addresses)] : []),
]);

/** The document warns before the user leaves the page while one of these boards is connected. */
export { boardsOnBench };

// The landing page links to `?demo` for a connected demo board.
if (new URLSearchParams(location.search).has('demo')) {
  void connect(demoBoards[0].source);
}

/** Page `/esp32_bench.html`, with `?demo` for the simulated board. */
export function LabPage() {
  return <Lab />;
}
