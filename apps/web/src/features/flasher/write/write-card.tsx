/** The main card: the plan, the progress or the result of a write, with the memory map. */
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

/** Shows reading or erasing above the contents of the flash. The plan stays in its own place. */
export function WorkCard() {
  const port = useFlasher(({ selected }) => selected);
  const flash = useWholeFlash();
  return flash.phase === 'working' ? <WorkingCard port={port} flash={flash} /> : null;
}
