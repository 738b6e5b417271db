/**
 * A panel as a `.json` file, for those without an account too: the content of a jkit with its name, description, tags and version
 * beside the messages. Read back is this, a bare content, and a jkit as the server's calls give it. Knows no browser.
 */

import { fieldsOf, isRecord, parseJson } from '../../../../shared/json.ts';
import type { DevicePanel } from './device-panel.ts';
import { type Jkit, jkitFromPanel } from './jkit-content.ts';
import { type UnknownKeys, without } from './stored-fields.ts';

/** Of a file only what describes the jkit is taken: who published it and how it was rated, a file cannot know. */
const factNames = ['name', 'description', 'tags', 'version'] as const;

/** Two blanks of indentation, so that a person can read and change it. */
export function writeJkitFile(panel: DevicePanel): { readonly name: string; readonly text: string } {
  const facts = factsOf({ name: panel.name, ...panel.loadedJkit });
  const content = fieldsOf(parseJson(jkitFromPanel(panel)));
  const name = String(facts['name'] ?? '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return { name: `${name || 'jkit'}.json`, text: `${JSON.stringify({ ...facts, ...content }, null, 2)}\n` };
}

/** The jkit in a file. What is wrong with its content shows when it is loaded. @param fileName its name when it says none itself */
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
