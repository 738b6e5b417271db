/** Button and dialog that load the files of a release by its share link. */
import { Link } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { releaseLink } from './release-link.ts';

export function ReleaseLinkButton() {
  const [open, setOpen] = useState(false);
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
    <>
      <Button variant="quiet" size="sm" icon={<Link />} onClick={() => setOpen(true)}>
        Load from release link
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Load from release link"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
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
            hint="The files of the release replace the ones that you have chosen."
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
    </>
  );
}
