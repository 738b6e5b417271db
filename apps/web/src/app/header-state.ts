/** State of the header: parts whose code is loaded later, a newer version that waits, and the warning before leaving. */
import type { ComponentType } from 'react';
import { pageStore } from '../shared/page-store.ts';

interface HeaderState {
  readonly Sign: ComponentType | null;
  readonly Help: ComponentType | null;
  /** Reloads with the newer version of the product. Null: this is the newest that is known. */
  readonly reload: (() => void) | null;
  /** True: leaving the document shows a warning, because a reload would lose something. */
  readonly warns: boolean;
}

export const headerState = pageStore<HeaderState>({ Sign: null, Help: null, reload: null, warns: false });
