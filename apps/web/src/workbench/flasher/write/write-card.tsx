/** The main card: what would be written, what is being written, and what came of it, over the memory map. */
import { useFlasher, useWholeFlash } from '../store/flasher-store.ts';
import { DoneCard } from './done-card.tsx';
import { PreviewCard } from './preview-card.tsx';
import { WorkingCard, WritingCard } from './progress-card.tsx';

export function WriteCard() {
  const port = useFlasher(({ selected }) => selected);
  const flash = useWholeFlash();
  switch (flash.phase) {
    case 'writing':
    case 'restarting':
      return <WritingCard port={port} flash={flash} />;
    case 'done':
      return <DoneCard port={port} flash={flash} />;
    default:
      return <PreviewCard port={port} flash={flash} />;
  }
}

/** Reading or erasing, in front of what it is about: the plan stays where it is. */
export function WorkCard() {
  const port = useFlasher(({ selected }) => selected);
  const flash = useWholeFlash();
  return flash.phase === 'working' ? <WorkingCard port={port} flash={flash} /> : null;
}
