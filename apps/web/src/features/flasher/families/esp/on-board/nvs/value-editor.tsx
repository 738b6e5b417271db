/** Field that replaces a value in its row. Each valid text goes into the plan at once. */
import {
  isIntegerType,
  type NvsValue,
  parseValue,
  textIn,
  type ValueForm,
  valueText,
} from '@wirebench/flasher/esp/nvs';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { FieldError } from '../../../../../../shared/ui/field-error.tsx';
import { Segmented } from '../../../../../../shared/ui/segmented.tsx';
import { TextArea, TextInput } from '../../../../../../shared/ui/text-input.tsx';
import styles from './nvs.module.css';

/** Most lines that a field shows at once. */
const MAX_LINES = 8;
/** Characters of a line of the field, for its height. */
const LINE_LENGTH = 48;

export interface ValueEditorProps {
  readonly label: string;
  /** Value at the start. */
  readonly value: NvsValue;
  readonly form: ValueForm;
  /** True: the value is secret. The field starts empty, and shows dots. */
  readonly hidden: boolean;
  /** True: the board is written or read. The field keeps the focus, and its text. */
  readonly locked: boolean;
  /** Puts a value into the plan. @returns The reason why it cannot be written; null if it is in the plan. */
  readonly onValue: (value: NvsValue) => string | null;
  /** Takes the change out of the plan, because the text is not valid. @returns A sentence if the plan keeps it. */
  readonly onInvalid: () => string | null;
  /** `key`: Enter or Escape, so that the focus returns to the row. */
  readonly onClose: (how: 'key' | 'outside') => void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { label, value, form: startForm, hidden, locked, onValue, onInvalid, onClose } = props;
  const [start, setStart] = useState(value);
  const [form, setForm] = useState(startForm);
  const [text, setText] = useState(hidden ? '' : valueText(value, startForm));
  const [fault, setFault] = useState<string | null>(null);
  const box = useRef<HTMLSpanElement>(null);
  const faultId = useId();
  const size = 'bytes' in start ? start.bytes.length : 0;
  const take = (next: string, as: ValueForm) => {
    setText(next);
    if (hidden && next === '') {
      setFault(onValue(start));
      return;
    }
    const parsed = parseValue(next, start.type, as, size);
    if (parsed.ok) {
      setFault(onValue(parsed.value));
    } else {
      const kept = onInvalid();
      setFault(kept === null ? parsed.fault : `${parsed.fault} ${kept}`);
    }
  };
  // After a write, Escape leads back to what was written.
  const settle = useEffectEvent(() => setStart(value));
  useEffect(() => {
    if (!locked) {
      settle();
    }
  }, [locked]);
  const leave = (how: 'key' | 'outside') => {
    if (fault === null) {
      onClose(how);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (locked || event.ctrlKey || event.metaKey) {
      // Ctrl+Enter writes the plan, and leaves the field open.
      return;
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      event.preventDefault();
      onValue(start);
      onClose('key');
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      leave('key');
    }
  };
  useLeaving(box, () => leave('outside'));
  const field = {
    'aria-label': label,
    'aria-invalid': fault === null ? undefined : true,
    'aria-describedby': fault === null ? undefined : faultId,
    autoComplete: 'off',
    spellCheck: false,
    readOnly: locked,
    // The field replaces the button that was pressed.
    autoFocus: true,
    value: text,
    onKeyDown,
  } as const;
  const textForm = startForm === 'hex' ? 'text' : startForm;
  const current = parseValue(text, start.type, form, size);
  const canSwitch =
    start.type === 'blob' && !hidden && !locked && current.ok && textIn(current.value, textForm) !== null;
  const isOneLine = hidden || isIntegerType(start.type);
  return (
    <span ref={box} className={styles['editor']}>
      {isOneLine ? (
        <TextInput
          {...field}
          mono
          type={hidden ? 'password' : 'text'}
          autoComplete={hidden ? 'new-password' : 'off'}
          placeholder={hidden ? (form === 'hex' ? 'New value in hex' : 'New value') : undefined}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => take(currentTarget.value, form)}
        />
      ) : (
        <TextArea
          {...field}
          className={styles['area']}
          rows={Math.min(MAX_LINES, linesOf(text))}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => take(currentTarget.value, form)}
        />
      )}
      {canSwitch ? (
        <Segmented
          label={`Form of ${label.toLowerCase()}`}
          options={[
            { value: textForm, label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          value={form}
          onChange={(next) => {
            setForm(next);
            take(valueText(current.value, next), next);
          }}
        />
      ) : null}
      <span id={faultId} role="alert">
        {fault === null ? null : <FieldError>{fault}</FieldError>}
      </span>
    </span>
  );
}

function linesOf(text: string): number {
  return text.split('\n').reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / LINE_LENGTH)), 0);
}

/** Calls `act` when the focus or a press goes to an element outside. */
function useLeaving(element: { readonly current: HTMLElement | null }, act: () => void): void {
  const onEvent = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && element.current?.contains(target) === false) {
      act();
    }
  });
  useEffect(() => {
    const ending = new AbortController();
    for (const type of ['pointerdown', 'focusin'] as const) {
      document.addEventListener(type, onEvent, { signal: ending.signal });
    }
    return () => ending.abort();
  }, []);
}
