import type { Jkit } from '@wirebench/contract';
import { toast } from '../../shared/ui/toast.ts';
import { LoadRefused } from './failed-act.ts';
import type { JkitPanel, PanelJkits } from './jkit-panel.ts';
import { doneText } from './model/library-texts.ts';

/**
 * Loads a JKit into a panel and shows a toast with Undo.
 *
 * @throws LoadRefused with the panel's reason.
 */
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
