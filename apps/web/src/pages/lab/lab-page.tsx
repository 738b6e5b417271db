import { setChipSources } from '../../features/lab/devices/known-chip.ts';
import { Lab } from '../../features/lab/lab.tsx';
import { connect, demoBoards } from '../../features/lab/store/lab-actions.ts';
import { boardsOnBench } from '../../features/lab/store/lab-store.ts';

const loadSources = () => import('./chip-sources.ts');

setChipSources([
  async () => (await loadSources()).fromEditor(),
  async (addresses) => (await loadSources()).fromServer(addresses),
]);

/** Boards that must not be left without being asked. */
export { boardsOnBench };

// The landing page leads straight to the demo board.
if (new URLSearchParams(location.search).has('demo')) {
  void connect(demoBoards[0].source);
}

/** `/esp32_bench.html`, with `?demo` for the simulated board. */
export function LabPage() {
  return <Lab />;
}
