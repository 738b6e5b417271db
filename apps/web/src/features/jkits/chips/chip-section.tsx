/**
 * The editor of chips on a page: a button until somebody wants it, or the page's address names a chip. Everything else is fetched
 * then, so that the page costs no more than the button.
 */
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';

const loadEditor = () => import('./chip-editor.tsx');

/** @param search the query part of the page's address */
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
