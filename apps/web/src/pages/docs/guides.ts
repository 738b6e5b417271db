/** The five guides of the documentation, in their order. Each is fetched when it is wanted. */

import { pagePaths } from '@wirebench/contract/constants';
import { hasServer } from '../../shared/edition.ts';
import type { DocsDocument } from './docs-model.ts';

export interface Guide {
  readonly path: string;
  readonly name: string;
  readonly load: () => Promise<DocsDocument>;
}

const allGuides: readonly Guide[] = [
  {
    path: pagePaths.uartDocs,
    name: 'Terminal',
    load: async () => (await import('./terminal/terminal-document.ts')).terminalDocument,
  },
  {
    path: pagePaths.espFlasherDocs,
    name: 'Flasher',
    load: async () => (await import('./flasher/flasher-document.ts')).flasherDocument,
  },
  {
    path: pagePaths.releasesDocs,
    name: 'Releases',
    load: async () => (await import('./releases/releases-document.ts')).releasesDocument,
  },
  {
    path: pagePaths.esp32Docs,
    name: 'ESP32',
    load: async () => (await import('./esp32/esp32-document.ts')).esp32Document,
  },
  {
    path: pagePaths.programsDocs,
    name: 'Programs',
    load: async () => (await import('./programs/programs-document.ts')).programsDocument,
  },
];

/** Guides that only a server has. */
const serverGuides: readonly string[] = [pagePaths.releasesDocs, pagePaths.programsDocs];

/** The guides of this edition. */
export const guides = hasServer ? allGuides : allGuides.filter(({ path }) => !serverGuides.includes(path));
