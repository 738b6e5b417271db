/** Dialog that loads the files of a release by its share link. */
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { releaseLink } from './release-link.ts';

export interface ReleaseLinkDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function ReleaseLinkDialog({ open, onClose }: ReleaseLinkDialogProps) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const form = useId();
  const load = (event: FormEvent) => {
    event.preventDefault();
    const link = releaseLink(text, location.href);
    if (link.ok) {
      location.assign(link.address);
    } else {
      setFault(link.fault);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Load from release link"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form}>
            Load
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={load}>
        <Field
          label="Release link"
          error={fault}
          hint="From this or another Wirebench server, or the address of an ESP Web Tools manifest or a flasher_args.json. Its files replace the ones that you have chosen."
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget }) => {
                setText(currentTarget.value);
                setFault(null);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
