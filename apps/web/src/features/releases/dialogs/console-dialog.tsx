import type { ConsoleSettings, Version } from '@wirebench/contract';
import { type FormEvent, useId, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { offerUndo } from '../../../shared/ui/offer-undo.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { useSetVersionConsole } from '../calls/versions.ts';
import { ConsoleFields, consoleFault } from '../form/console-fields.tsx';

export interface ConsoleDialogProps {
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called when the user restores the choice that closing the dialog discarded. */
  readonly onReopen: () => void;
}

/** Edits the settings of the monitor that opens after a flash of this version. */
export function ConsoleDialog(props: ConsoleDialogProps) {
  const { version, onClose, onReopen } = props;
  const [wanted, setWanted] = useState<{ readonly console: ConsoleSettings | null } | null>(null);
  const close = (unsaved: ConsoleSettings | null) => {
    setWanted(null);
    onClose();
    if (JSON.stringify(unsaved) !== JSON.stringify(version.console)) {
      offerUndo('Changes to the terminal set-up discarded', () => {
        setWanted({ console: unsaved });
        onReopen();
      });
    }
  };
  const initial = wanted === null ? version.console : wanted.console;
  return <ConsoleForm key={useOpenings(props.open)} {...props} initial={initial} onCancel={close} />;
}

interface ConsoleFormProps extends ConsoleDialogProps {
  readonly initial: ConsoleSettings | null;
  readonly onCancel: (unsaved: ConsoleSettings | null) => void;
}

function ConsoleForm({ version, open, initial, onClose, onCancel }: ConsoleFormProps) {
  const { _id: id, version: number } = version;
  const formId = useId();
  const [console, setConsole] = useState(initial);
  const cancel = () => onCancel(console);
  const saving = useSetVersionConsole(id, {
    onSuccess: () => {
      toast(`Terminal set-up of version ${number} saved`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (consoleFault(console) === null) {
      saving.mutate(console);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={cancel}
      size="sm"
      title={`Terminal set-up of version ${number}`}
      footer={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <p>The monitor that opens after a flash starts with these settings.</p>
      <form id={formId} noValidate onSubmit={submit}>
        <ConsoleFields console={console} onChange={setConsole} />
      </form>
      {saving.error === null ? null : (
        <Notice level="error" title="Failed to save the terminal set-up">
          {errorMessage(saving.error)}
        </Notice>
      )}
    </Dialog>
  );
}
