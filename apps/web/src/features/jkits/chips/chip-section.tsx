/**
 * Section of a page with a button that opens the chip editor. The editor is loaded when the button is pressed, or at
 * once if the page's address names a chip.
 */
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';

const loadEditor = () => import('./chip-editor.tsx');

/** @param search Query part of the page's address. */
export function ChipSection({ search }: { readonly search: string }) {
  const [open, setOpen] = useState(() => new URLSearchParams(search).has('jkit'));
  const editor = useLoaded(open, loadEditor, () => setOpen(false));
  return (
    <>
      <Button aria-expanded={open} busy={open && editor === null} onClick={() => setOpen(!open)}>
        {open ? 'Close the chip editor' : 'Describe a chip'}
      </Button>
      {open && editor !== null ? <editor.ChipEditor search={search} /> : null}
    </>
  );
}
