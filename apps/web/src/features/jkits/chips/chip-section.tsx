/** The editor of chips on a page: a button until somebody wants it, or the page's address names a chip. */
import { Cpu } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { LinkNotice } from '../link-notice.tsx';
import { useLinkedJkit } from '../use-linked-jkit.ts';
import { chipStore, linkedChip, useChipEditor } from './chip-store.ts';

const loadEditor = () => import('./chip-editor.tsx');

const setOpen = (open: boolean) => chipStore.setState({ open });

/** @param search the query part of the page's address */
export function ChipSection({ search }: { readonly search: string }) {
  useLinkedJkit(search, linkedChip);
  const open = useChipEditor((state) => state.open);
  const editor = useLoaded(open, loadEditor, () => setOpen(false));
  return (
    <>
      <LinkNotice panels={linkedChip} />
      <Button icon={<Cpu />} aria-expanded={open} busy={open && editor === null} onClick={() => setOpen(!open)}>
        {open ? 'Close the chip editor' : 'Describe a chip'}
      </Button>
      {open && editor !== null ? <editor.ChipEditor /> : null}
    </>
  );
}
