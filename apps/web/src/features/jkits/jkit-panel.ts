/**
 * Interface between the library and a device panel: data that the library reads, and actions that it calls. The page
 * provides both.
 */
import type { Jkit } from '@wirebench/contract';

export interface JkitPanel {
  readonly id: string;
  /** Type of the JKits in the panel's library. Default: messages (`uart`). */
  readonly type?: Jkit['type'];
  readonly name: string;
  readonly pinnedMessages: readonly unknown[];
  /**
   * JKit that the messages came from, as the server returned it, without its content. For messages from a file it has
   * no id.
   */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
}

export type LoadResult =
  /** @property undo Restores the panel's previous state. */
  | { readonly ok: true; readonly warnings: readonly string[]; readonly undo: () => void }
  | { readonly ok: false; readonly reason: string };

export interface PanelJkits {
  /** Returns the panel as JKit content, or null if the panel no longer exists. */
  readonly contentOf: (panelId: string) => string | null;
  readonly load: (panelId: string, jkit: Jkit, isStarred: boolean) => LoadResult;
  /** Records that the panel was saved as this JKit. */
  readonly attach: (panelId: string, jkit: Jkit) => void;
  /** Updates the JKit's data in every panel that was loaded from it. */
  readonly refresh: (jkit: Jkit) => void;
  readonly forget: (jkitId: string) => void;
  readonly setStarred: (jkitId: string, isStarred: boolean) => void;
}

/** Props of the library's components. */
export interface LibraryProps {
  readonly user: string;
  readonly panel: JkitPanel;
  readonly jkits: PanelJkits;
}

export const typeOf = ({ type = 'uart' }: Pick<JkitPanel, 'type'>): Jkit['type'] => type;

/**
 * Returns the time of the JKit's last change as the panel knows it, ISO 8601. Null: the panel came from another JKit,
 * or the time is unknown.
 */
export function revisionOf({ loadedJkit }: Pick<JkitPanel, 'loadedJkit'>, id: string): string | null {
  const updatedAt = loadedJkit?.['_id'] === id ? loadedJkit['updatedAt'] : undefined;
  return typeof updatedAt === 'string' ? updatedAt : null;
}

/** Data about the JKit that a panel came from. */
export interface LoadedFacts {
  /** Id of the JKit. Null: the messages came from a file or are a copy. */
  readonly id: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly publisher: string | null;
  /** Publisher of the original, if the messages are the user's own copy. Null: not a copy. */
  readonly copiedFrom: string | null;
  readonly shared: boolean;
  readonly rating: number;
  readonly ratingCount: number;
}

/**
 * Returns the data of the panel's JKit, or null if it has no name. Each value is validated, because it was stored in
 * the browser.
 */
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
