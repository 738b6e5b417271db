/** Dialog that loads the files of a release by its share link. */
import { type FormEvent, useId, useState } from 'react';
import { hasServer } from '../../../shared/edition.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { releaseLink, releaseLinkLabel } from './release-link.ts';

const origins = hasServer
  ? 'From this or another Wirebench server, or the address of an ESP Web Tools manifest or a flasher_args.json.'
  : 'Of ESP Web Tools, or a flasher_args.json. A release of a Wirebench server can be opened by its link, too.';

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
      title={releaseLinkLabel}
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
          label={hasServer ? 'Release link' : 'Address of the manifest'}
          error={fault}
          hint={`${origins} Its files replace the ones that you have chosen.`}
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
