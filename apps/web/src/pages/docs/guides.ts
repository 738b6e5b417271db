/** The five guides of the documentation, in their order. Each is fetched when it is wanted. */

import { pagePaths } from '@wirebench/contract/constants';
import { hasServer } from '../../shared/edition.ts';
import { type GuideName, serverNames } from './docs-links.ts';
import type { DocsDocument } from './docs-model.ts';

interface Guide {
  readonly name: GuideName;
  readonly path: string;
  readonly title: string;
  /** Says what one can do with it. */
  readonly sentence: string;
  readonly load: () => Promise<DocsDocument>;
}

const allGuides: readonly Guide[] = [
  {
    name: 'terminal',
    path: pagePaths.uartDocs,
    title: 'Terminal',
    sentence: 'Talk to up to four boards at once.',
    load: async () => (await import('./terminal/terminal-document.ts')).terminalDocument,
  },
  {
    name: 'flasher',
    path: pagePaths.espFlasherDocs,
    title: 'Flasher',
    sentence: 'Write firmware to a board, and see what stays.',
    load: async () => (await import('./flasher/flasher-document.ts')).flasherDocument,
  },
  {
    name: 'releases',
    path: pagePaths.releasesDocs,
    title: 'Releases',
    sentence: 'Hand firmware to others as a link.',
    load: async () => (await import('./releases/releases-document.ts')).releasesDocument,
  },
  {
    name: 'esp32',
    path: pagePaths.esp32Docs,
    title: 'ESP32 bench',
    sentence: 'Make a spare ESP32 measure your circuit.',
    load: async () => (await import('./esp32/esp32-document.ts')).esp32Document,
  },
  {
    name: 'programs',
    path: pagePaths.programsDocs,
    title: 'Programs',
    sentence: 'Use boards from a shell, a pipeline or an agent.',
    load: async () => (await import('./programs/programs-document.ts')).programsDocument,
  },
];

/** The guides of this edition. */
export const guides = hasServer ? allGuides : allGuides.filter(({ name }) => !serverNames.includes(name));
