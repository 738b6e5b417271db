import type { Jkit } from '@wirebench/contract';
import { toast } from '../../shared/ui/toast.ts';
import { LoadRefused } from './failed-act.ts';
import type { JkitPanel, PanelJkits } from './jkit-panel.ts';
import { doneText } from './model/library-texts.ts';

/** Puts the jkit into the panel and says so, with a way back. Throws a LoadRefused with the panel's words. */
export function loadJkit(
  panel: Pick<JkitPanel, 'id' | 'name'>,
  jkits: Pick<PanelJkits, 'load'>,
  jkit: Jkit,
  isStarred: boolean,
): void {
  const result = jkits.load(panel.id, jkit, isStarred);
  if (!result.ok) {
    throw new LoadRefused(result.reason);
  }
  const { warnings, undo } = result;
  toast(doneText('load', jkit.name), {
    level: warnings.length === 0 ? 'success' : 'warning',
    detail: warnings.length === 0 ? `Into ${panel.name}` : warnings.join(' '),
    action: { label: 'Undo', onAction: undo },
  });
}
