/**
 * Reads a JKit from a `.json` file: its content plus name, description, tags and version. Also readable are a bare
 * content and a JKit as the server's API returns it.
 */
import { isRecord, parseJson } from '@wirebench/contract/json';
import { type UnknownKeys, without } from './stored-fields.ts';

/** A JKit as the server returns it. */
export interface Jkit extends UnknownKeys {
  readonly content: string;
}

/** Fields that are read from a file besides the content. Publisher and rating come only from the server. */
const factNames = ['name', 'description', 'tags', 'version'] as const;

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

/** Returns the fields of a JKit that a file has besides the content. */
export function factsOf(record: UnknownKeys): UnknownKeys {
  return Object.fromEntries(factNames.filter((name) => isFact(name, record[name])).map((name) => [name, record[name]]));
}

function isFact(name: (typeof factNames)[number], value: unknown): boolean {
  return name === 'tags'
    ? Array.isArray(value) && value.every((tag) => typeof tag === 'string')
    : typeof value === 'string' && (name !== 'name' || value.trim() !== '');
}
