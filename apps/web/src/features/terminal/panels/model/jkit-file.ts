/**
 * Writes a panel as a `.json` file, which needs no account, and reads one. The file holds a JKit's content plus name,
 * description, tags and version. Also readable are a bare content and a JKit as the server's API returns it.
 */

import { fieldsOf, isRecord, parseJson } from '../../../../shared/json.ts';
import type { DevicePanel } from './device-panel.ts';
import { type Jkit, jkitFromPanel } from './jkit-content.ts';
import { type UnknownKeys, without } from './stored-fields.ts';

/** Fields that are read from a file besides the content. Publisher and rating come only from the server. */
const factNames = ['name', 'description', 'tags', 'version'] as const;

/** Returns file name and JSON text. The text is indented by two spaces, so that a person can read and edit it. */
export function writeJkitFile(panel: DevicePanel): { readonly name: string; readonly text: string } {
  const facts = factsOf({ name: panel.name, ...panel.loadedJkit });
  const content = fieldsOf(parseJson(jkitFromPanel(panel)));
  const name = String(facts['name'] ?? '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return { name: `${name || 'jkit'}.json`, text: `${JSON.stringify({ ...facts, ...content }, null, 2)}\n` };
}

/**
 * Reads a JKit from the text of a file. Its content is checked later, by `panelFromJkit`.
 *
 * @param fileName Used as the JKit's name if the file contains none.
 */
export function readJkitFile(text: string, fileName: string): Jkit {
  const root = parseJson(text);
  const name = fileName.replace(/\.json$/i, '').trim() || 'jkit';
  if (!isRecord(root)) {
    return { name, content: text };
  }
  const jkit = isRecord(root['data']) && !('fields' in root) ? root['data'] : root;
  const facts = { name, ...factsOf(jkit) };
  const { content } = jkit;
  if ('fields' in jkit || content === undefined) {
    return { ...facts, content: JSON.stringify(without(jkit, 'type', ...Object.keys(factsOf(jkit)))) };
  }
  return { ...facts, content: typeof content === 'string' ? content : JSON.stringify(content) };
}

function factsOf(record: UnknownKeys): UnknownKeys {
  return Object.fromEntries(factNames.filter((name) => isFact(name, record[name])).map((name) => [name, record[name]]));
}

function isFact(name: (typeof factNames)[number], value: unknown): boolean {
  return name === 'tags'
    ? Array.isArray(value) && value.every((tag) => typeof tag === 'string')
    : typeof value === 'string' && (name !== 'name' || value.trim() !== '');
}
