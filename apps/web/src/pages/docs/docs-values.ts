/** Values that several guides name. */
import { guidanceTopics } from '@wirebench/contract/constants';
import type { DocsNode } from './docs-model.ts';

export const sharedValues = {
  /**
   * Browsers with Web Serial, oldest versions first seen to have it (Chrome 89 and Firefox 151 release notes). The
   * specified sentence for browsers without it names the first two.
   */
  browsers: 'Chrome or Edge, version 89 or later, or Firefox, version 151 or later',
};

/** Titles of the guidance: `{{topic.wrong-chip-type}}`. */
export const topicTitles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(guidanceTopics).map(([topic, title]) => [`topic.${topic}`, title]),
);

/** A link to the guidance about a topic, by its title. */
export function topicLink(topic: keyof typeof guidanceTopics): DocsNode {
  return ['a', `guide:flasher#${topic}`, guidanceTopics[topic]];
}

/** Rows with the code of each failure, what happened, and what to do. */
export function failureRows(texts: Readonly<Record<string, { readonly what: string; readonly remedy: string }>>) {
  return Object.entries(texts).map(([code, { what, remedy }]) => [code, what, remedy] as const);
}
