/** What the library has to know of a device panel, and what it asks of one. The page gives both. */
import type { Jkit } from '@wirebench/contract';

export interface JkitPanel {
  readonly id: string;
  /** The jkits that its library has; messages unless it says otherwise. */
  readonly type?: Jkit['type'];
  readonly name: string;
  readonly pinnedMessages: readonly unknown[];
  /** Where its messages came from, as the server gave it but for the content; only a name when they came from a file. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
}

export type LoadResult =
  /** @property undo the panel is again as it was. */
  | { readonly ok: true; readonly warnings: readonly string[]; readonly undo: () => void }
  | { readonly ok: false; readonly reason: string };

export interface PanelJkits {
  /** What a jkit of this panel contains; null when the panel is gone. */
  readonly contentOf: (panelId: string) => string | null;
  readonly load: (panelId: string, jkit: Jkit, isStarred: boolean) => LoadResult;
  /** The panel's messages are saved as this jkit from now on. */
  readonly attach: (panelId: string, jkit: Jkit) => void;
  /** Panels that came from the jkit tell it as it is now. */
  readonly refresh: (jkit: Jkit) => void;
  readonly forget: (jkitId: string) => void;
  readonly setStarred: (jkitId: string, isStarred: boolean) => void;
}

/** What the library of one panel works with. */
export interface LibraryProps {
  readonly user: string;
  readonly panel: JkitPanel;
  readonly jkits: PanelJkits;
}

export const typeOf = ({ type = 'uart' }: Pick<JkitPanel, 'type'>): Jkit['type'] => type;

/** When the jkit with this id was last saved as the panel has it; null when the panel did not come from it, or does not know. */
export function revisionOf({ loadedJkit }: Pick<JkitPanel, 'loadedJkit'>, id: string): string | null {
  const updatedAt = loadedJkit?.['_id'] === id ? loadedJkit['updatedAt'] : undefined;
  return typeof updatedAt === 'string' ? updatedAt : null;
}

/** What is known of a jkit that a panel came from. */
export interface LoadedFacts {
  /** Null when it came from a file. */
  readonly id: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly publisher: string | null;
  /** The publisher of the jkit that this is a person's own copy of; null when it is none. */
  readonly copiedFrom: string | null;
  readonly shared: boolean;
  readonly rating: number;
  readonly ratingCount: number;
}

/** Null when there is nothing to tell. Every value is checked by itself: it was kept in the browser. */
export function loadedFacts({ loadedJkit }: Pick<JkitPanel, 'loadedJkit'>): LoadedFacts | null {
  const text = (name: string) => {
    const value = loadedJkit?.[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const number = (name: string) => {
    const value = loadedJkit?.[name];
    return typeof value === 'number' ? value : 0;
  };
  const name = text('name');
  return name === null
    ? null
    : {
        id: text('_id'),
        name,
        version: text('version'),
        publisher: text('publisher'),
        copiedFrom: text('copiedFrom'),
        shared: loadedJkit?.['shared'] === true,
        rating: number('rating'),
        ratingCount: number('ratingCount'),
      };
}
