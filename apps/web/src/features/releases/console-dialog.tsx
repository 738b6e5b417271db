import type { ConsoleSettings, Version } from '@wirebench/contract';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { setVersionConsole } from './calls/versions.ts';
import { ConsoleFields, consoleFault } from './console-fields.tsx';
import { useDialogAct } from './use-act.ts';
import { useOpenings } from './use-openings.ts';

export interface ConsoleDialogProps {
  readonly user: string;
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** How the monitor is set up that opens after a flash of this version. */
export function ConsoleDialog(props: ConsoleDialogProps) {
  return <ConsoleForm key={useOpenings(props.open)} {...props} />;
}

function ConsoleForm({ user, version, open, onClose }: ConsoleDialogProps) {
  const { _id: id, version: number } = version;
  const formId = useId();
  const [console, setConsole] = useState<ConsoleSettings | null>(version.console);
  const { busy, failure: reason, run } = useDialogAct();
  const save = async () => {
    await setVersionConsole(id, console);
    toast(`Terminal set-up of version ${number} saved`);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && consoleFault(console) === null) {
      void run(save);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={`Terminal set-up of version ${number}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <p>The monitor that opens after a flash starts with these settings.</p>
      <form id={formId} noValidate onSubmit={submit}>
        <ConsoleFields user={user} console={console} onChange={setConsole} />
      </form>
      {reason === null ? null : (
        <Notice level="error" title="Failed to save the terminal set-up">
          {reason}
        </Notice>
      )}
    </Dialog>
  );
}
