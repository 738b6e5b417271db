/** Exports a panel as a JKit file and imports one, with the messages shown about it. */
import { jkitLimits, jkitText } from '@wirebench/contract/constants';
import { readJkitFile } from '@wirebench/runs';
import { toast } from '../../../shared/ui/toast.ts';
import type { DevicePanel } from './model/device-panel.ts';
import { saveTestFile } from './run/test-file.ts';
import { loadJkit } from './store/jkit-actions.ts';
import { setRefusal } from './store/panels-session.ts';

export function exportJkit(panel: DevicePanel): void {
  toast(`${panel.name} exported as ${saveTestFile(panel)}`);
}

/**
 * Largest file size as a multiple of the largest content. Indentation and the description make a file larger than its
 * content.
 */
const fileOverhead = 8;

/** Replaces the panel's messages with the file's. Failures are shown on the panel. */
export async function importJkit({ id, name }: Pick<DevicePanel, 'id' | 'name'>, file: File): Promise<void> {
  if (file.size > jkitLimits.contentSize * fileOverhead) {
    setRefusal(id, jkitText.tooLarge);
    return;
  }
  let text: string;
  try {
    const { readGivenText } = await import('../../../shared/files/read-given-text.ts');
    text = await readGivenText(file);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    setRefusal(id, `${file.name} could not be read: the browser refused it, or the file was changed. Choose it again.`);
    return;
  }
  const jkit = readJkitFile(text, file.name);
  const loaded = loadJkit(id, jkit, false);
  if (!loaded.ok) {
    setRefusal(id, loaded.reason);
    return;
  }
  toast(`${file.name} loaded`, {
    level: loaded.warnings.length === 0 ? 'success' : 'warning',
    detail: loaded.warnings.length === 0 ? `Into ${name}` : loaded.warnings.join(' '),
    action: { label: 'Undo', onAction: loaded.undo },
  });
}
