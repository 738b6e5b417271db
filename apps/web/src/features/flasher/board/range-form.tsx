/** Form that reads or erases any range of flash by its addresses. */
import type { RangeLimits } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { Eraser, Save } from 'lucide-react';
import { useState } from 'react';
import { addressText } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { backUp } from '../store/contents-actions.ts';
import type { EraseTarget } from '../store/erase-request.ts';
import styles from './contents-card.module.css';
import { typedRange } from './range-text.ts';

export interface RangeFormProps {
  readonly port: PortNumber;
  readonly limits: RangeLimits;
  /** True: the board is busy. */
  readonly locked: boolean;
  readonly onErase: ((target: EraseTarget) => void) | null;
}

export function RangeForm({ port, limits, locked, onErase }: RangeFormProps) {
  const [from, setFrom] = useState(addressText(limits.start));
  const [length, setLength] = useState(addressText(limits.multipleOf));
  const typed = typedRange(from, length, limits);
  const name = typed.ok ? addressText(typed.range.offset) : '';
  return (
    <div className={styles['range']}>
      <Field label="From">
        {(ids) => (
          <TextInput {...ids} mono value={from} autoComplete="off" onChange={({ target }) => setFrom(target.value)} />
        )}
      </Field>
      <Field label="Length" error={typed.ok ? null : typed.fault}>
        {(ids) => (
          <TextInput
            {...ids}
            mono
            value={length}
            autoComplete="off"
            onChange={({ target }) => setLength(target.value)}
          />
        )}
      </Field>
      <span className={`buttons ${styles['buttons']}`}>
        <Button
          icon={<Save />}
          disabled={locked || !typed.ok}
          onClick={() => (typed.ok ? void backUp(port, 'region', typed.range) : undefined)}
        >
          Read to a file
        </Button>
        {onErase === null ? null : (
          <Button
            icon={<Eraser />}
            disabled={locked || !typed.ok}
            onClick={() => (typed.ok ? onErase({ name, range: typed.range }) : undefined)}
          >
            Erase…
          </Button>
        )}
      </span>
    </div>
  );
}
