/** Writes a panel as a `.json` file, which needs no account. */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { factsOf } from '@wirebench/runs';
import type { DevicePanel } from './device-panel.ts';
import { jkitFromPanel } from './jkit-content.ts';

/** Returns file name and JSON text. The text is indented by two spaces, so that a person can read and edit it. */
export function writeJkitFile(panel: DevicePanel): { readonly name: string; readonly text: string } {
  const facts = factsOf({ name: panel.name, ...panel.loadedJkit });
  const content = fieldsOf(parseJson(jkitFromPanel(panel)));
  const name = String(facts['name'] ?? '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return { name: `${name || 'jkit'}.json`, text: `${JSON.stringify({ ...facts, ...content }, null, 2)}\n` };
}
