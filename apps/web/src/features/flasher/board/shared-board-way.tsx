/** Button that leads to the boards of another user's shared bench. Their code is fetched on the click. */

import type { PortNumber } from '@wirebench/serial';
import { Link2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import styles from './board-card.module.css';

const SharedBoards = lazy(async () => ({ default: (await import('./shared-boards.tsx')).SharedBoards }));

/** True if a shared bench has led here, with its link in the address: `?live=<room>#<key>`. */
const isGiven = () => new URLSearchParams(location.search).has('live');

export function SharedBoardWay({ port }: { readonly port: PortNumber }) {
  const [open, setOpen] = useState(isGiven);
  return open ? (
    <Suspense>
      <SharedBoards port={port} />
    </Suspense>
  ) : (
    <Button className={styles['wide']} icon={<Link2 />} onClick={() => setOpen(true)}>
      Use a shared board
    </Button>
  );
}
