/** Numbers beside the tabs of the dock. */
import { pageStore } from '../../../shared/page-store.ts';
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import type { DockTab } from './open-tool.ts';

/** Number of drawn curves when the plot was last in front. */
const curves = pageStore({ drawn: 0 });

export const noteCurves = (drawn: number) => curves.setState({ drawn });

/** Returns the number beside a tab: panels with commands, drawn curves, rules or crashes. 0: none is shown. */
export function useTabMark(tab: DockTab): number {
  const drawn = curves.use((state) => state.drawn);
  const crashes = useIncidents().filter(({ severity }) => severity === 'fault').length;
  const panels = usePanels((all) => all.filter(({ pinnedMessages }) => pinnedMessages.length > 0).length);
  const rules = usePanels((all) => all.reduce((sum, panel) => sum + panel.rules.length, 0));
  const marks: Partial<Record<DockTab, number>> = { panels, plot: drawn, rules, crashes };
  return marks[tab] ?? 0;
}
