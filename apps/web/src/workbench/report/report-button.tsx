import { Flag } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import type { ReportDialogProps } from './report-dialog.tsx';

export interface ReportButtonProps extends Omit<ReportDialogProps, 'open' | 'onClose'> {
  readonly label: string;
}

const loadDialog = () => import('./report-dialog.tsx');

/** Opens the form for reporting public content to the operator. Requires no sign-in. */
export function ReportButton({ type, id, name, label }: ReportButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const dialog = useLoaded(open, loadDialog, close);
  return (
    <>
      <Button size="sm" variant="quiet" icon={<Flag />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {dialog === null ? null : <dialog.ReportDialog type={type} id={id} name={name} open={open} onClose={close} />}
    </>
  );
}
