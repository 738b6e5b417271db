/** Jkit files into and out of a panel, with what is said about it. */
import { jkitLimits, jkitText } from '@wirebench/contract/constants';
import { saveFile } from '../../../shared/files/save-file.ts';
import { toast } from '../../../shared/ui/toast.ts';
import type { DevicePanel } from './model/device-panel.ts';
import { readJkitFile, writeJkitFile } from './model/jkit-file.ts';
import { loadJkit } from './store/jkit-actions.ts';
import { setRefusal } from './store/panels-session.ts';

export function exportJkit(panel: DevicePanel): void {
  const { name, text } = writeJkitFile(panel);
  saveFile(new Blob([text], { type: 'application/json' }), name);
  toast(`${panel.name} exported as ${name}`);
}

/** Bytes of a file beyond its content: the same indented, and what describes it. */
const fileOverhead = 8;

/** The file's messages take the place of the panel's. What is wrong with it stands on the panel. */
export async function importJkit({ id, name }: Pick<DevicePanel, 'id' | 'name'>, file: File): Promise<void> {
  if (file.size > jkitLimits.contentSize * fileOverhead) {
    setRefusal(id, jkitText.tooLarge);
    return;
  }
  let text: string;
  try {
    text = await file.text();
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
