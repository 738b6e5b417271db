/** Asks for a new key: its namespace, name, type and value. */
import {
  isIntegerType,
  knownNamespace,
  type NvsEdit,
  type NvsGroup,
  type NvsType,
  parseValue,
} from '@wirebench/flasher/esp/nvs';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { Field } from '../../../../../../shared/ui/field.tsx';
import { Segmented } from '../../../../../../shared/ui/segmented.tsx';
import { Select } from '../../../../../../shared/ui/select.tsx';
import { TextArea, TextInput } from '../../../../../../shared/ui/text-input.tsx';
import { useOpenings } from '../../../../../../shared/ui/use-openings.ts';
import styles from './nvs.module.css';

const types: readonly NvsType[] = ['str', 'blob', 'u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64'];
/** Longest name of a key or namespace, in bytes (ESP-IDF Programming Guide, "Keys and Values"). */
const MAX_NAME_LENGTH = 15;

export interface AddKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly groups: readonly NvsGroup[];
  /** Puts the key into the plan. @returns The reason why it cannot be written. */
  readonly onAdd: (edit: NvsEdit) => string | null;
}

export function AddKeyDialog(props: AddKeyDialogProps) {
  return <AddKey key={useOpenings(props.open)} {...props} />;
}

function AddKey({ open, onClose, groups, onAdd }: AddKeyDialogProps) {
  const formId = useId();
  const names = useId();
  const keyField = useRef<HTMLInputElement>(null);
  const own = groups.find(({ namespace, removed }) => !removed && knownNamespace(namespace) === null);
  const [namespace, setNamespace] = useState(own?.namespace ?? '');
  const [key, setKey] = useState('');
  const [type, setType] = useState<NvsType>('str');
  const [form, setForm] = useState<'text' | 'hex'>('text');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const value = parseValue(text, type, type === 'blob' ? form : 'text');
  const taken = groups.some((group) =>
    group.rows.some((row) => row.namespace === namespace && row.key === key && row.after !== null),
  );
  const faults = {
    namespace: nameFault(namespace, 'namespace'),
    key: nameFault(key, 'key') ?? (taken ? `${namespace} has this key already. Change its value in the list.` : null),
    value: value.ok ? refusal : value.fault,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (faults.namespace !== null || faults.key !== null || !value.ok) {
      return;
    }
    const reason = onAdd({ namespace, key, value: value.value });
    setRefusal(reason);
    if (reason === null) {
      // The key is taken now, which is no fault while the dialog closes.
      setTried(false);
      onClose();
    }
  };
  const shown = (fault: string | null) => (tried ? fault : null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add a key"
      size="sm"
      initialFocus={keyField}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary">
            Add to the plan
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className={`stack apart ${styles['form']}`}>
        <Field label="Namespace" error={shown(faults.namespace)}>
          {(ids) => (
            <TextInput
              {...ids}
              mono
              list={names}
              autoComplete="off"
              spellCheck={false}
              value={namespace}
              onChange={({ currentTarget }) => setNamespace(currentTarget.value)}
            />
          )}
        </Field>
        <datalist id={names}>
          {groups.map((group) => (
            <option key={group.namespace} value={group.namespace} />
          ))}
        </datalist>
        <Field label="Key" hint={`At most ${MAX_NAME_LENGTH} bytes`} error={shown(faults.key)}>
          {(ids) => (
            <TextInput
              {...ids}
              ref={keyField}
              mono
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Type">
          {(ids) => (
            <Select
              {...ids}
              mono
              value={type}
              onChange={({ currentTarget }) => setType(types.find((one) => one === currentTarget.value) ?? 'str')}
            >
              {types.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </Select>
          )}
        </Field>
        {type === 'blob' ? (
          <Segmented
            label="Form of the value"
            options={[
              { value: 'text', label: 'Text' },
              { value: 'hex', label: 'Hex' },
            ]}
            value={form}
            onChange={setForm}
          />
        ) : null}
        <Field label="Value" error={shown(faults.value)}>
          {(ids) =>
            isIntegerType(type) ? (
              <TextInput
                {...ids}
                mono
                autoComplete="off"
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
              />
            ) : (
              <TextArea
                {...ids}
                className={styles['area']}
                rows={3}
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={({ currentTarget }) => setText(currentTarget.value)}
              />
            )
          }
        </Field>
      </form>
    </Dialog>
  );
}

function nameFault(name: string, what: string): string | null {
  const { length } = new TextEncoder().encode(name);
  if (length === 0) {
    return `Enter the name of the ${what}.`;
  }
  return length > MAX_NAME_LENGTH ? `A ${what} has at most ${MAX_NAME_LENGTH} bytes. This has ${length}.` : null;
}
