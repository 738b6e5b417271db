/** Dialog that asks once for the network of all boards of a batch. */
import { Wifi } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './improv.module.css';
import { nameFault, passwordFault } from './network-input.ts';
import { PasswordField } from './password-field.tsx';
import { setSeriesNetwork, useSeriesNetwork } from './series.ts';

interface SeriesDialogProps {
  readonly onClose: () => void;
}

export function SeriesDialog({ onClose }: SeriesDialogProps) {
  const known = useSeriesNetwork();
  const formId = useId();
  const [name, setName] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ readonly name: string | null; readonly password: string | null }>({
    name: null,
    password: null,
  });
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = { name: nameFault(name), password: passwordFault(password, false) };
    setFaults(found);
    if (found.name !== null || found.password !== null) {
      (found.name === null ? passwordField : nameField).current?.focus();
      return;
    }
    const utf8 = new TextEncoder();
    setSeriesNetwork({ name: utf8.encode(name), label: name, password: utf8.encode(password) });
    onClose();
  };
  const forget = () => {
    setSeriesNetwork(null);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Put each board on your Wi-Fi"
      initialFocus={nameField}
      footer={
        <>
          <Button variant="quiet" onClick={known === null ? onClose : forget}>
            {known === null ? 'Cancel' : 'No Wi-Fi'}
          </Button>
          <Button variant="primary" type="submit" form={formId} icon={<Wifi />}>
            Use for each board
          </Button>
        </>
      }
    >
      <p>
        After its write, each board whose program has Improv gets this network. The password goes to the boards over the
        cable. It is kept in memory until this page is closed, and is not in the log.
      </p>
      <form id={formId} className={styles['form']} onSubmit={submit} noValidate>
        <Field label="Name of the network" error={faults.name} hint="Exactly as it is set: A and a are different.">
          {(ids) => (
            <TextInput
              {...ids}
              ref={nameField}
              value={name}
              autoComplete="off"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <PasswordField
          ref={passwordField}
          label={name === '' ? 'Password' : `Password of ${name}`}
          hint="Empty for an open network."
          value={password}
          error={faults.password}
          onChange={setPassword}
        />
      </form>
    </Dialog>
  );
}
