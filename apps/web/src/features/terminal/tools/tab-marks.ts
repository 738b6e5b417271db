/** Numbers beside the tabs of the dock. */
import { useIncidents } from '../../../workbench/crash/incidents.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import { useDrawnCurves } from './drawn-curves.ts';
import type { DockTab } from './open-tool.ts';

/** Returns the number beside a tab: panels with commands, drawn curves, rules or crashes. 0: none is shown. */
export function useTabMark(tab: DockTab): number {
  const drawn = useDrawnCurves();
  const crashes = useIncidents().filter(({ severity }) => severity === 'fault').length;
  const panels = usePanels((all) => all.filter(({ pinnedMessages }) => pinnedMessages.length > 0).length);
  const rules = usePanels((all) => all.reduce((sum, panel) => sum + panel.rules.length, 0));
  const marks: Partial<Record<DockTab, number>> = { panels, plot: drawn, rules, crashes };
  return marks[tab] ?? 0;
}
