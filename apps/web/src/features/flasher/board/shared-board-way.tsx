/** The boards of another user's shared bench, below the answer. Their code is fetched when they are asked for. */

import type { PortNumber } from '@wirebench/serial';
import { lazy, Suspense } from 'react';
import { hasServer } from '../../../shared/edition.ts';
import { pageStore } from '../../../shared/page-store.ts';

const SharedBoards = lazy(async () => ({ default: (await import('./shared-boards.tsx')).SharedBoards }));

/** True if a shared bench has led here, with its link in the address: `?live=<room>#<key>`. */
const isGiven = () => new URLSearchParams(location.search).has('live');

const shown = pageStore<{ readonly asked: boolean }>({ asked: false });

/** Shows the boards of a shared bench, or the form for its link. */
export function showSharedBoards(): void {
  shown.setState({ asked: true });
}

export function SharedBoardWay({ port }: { readonly port: PortNumber }) {
  const asked = shown.use((state) => state.asked);
  return hasServer && (asked || isGiven()) ? (
    <Suspense>
      <SharedBoards port={port} />
    </Suspense>
  ) : null;
}
