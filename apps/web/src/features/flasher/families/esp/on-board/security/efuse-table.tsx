/** All eFuses of a board, folded: search by name, value or meaning, and a copy as text. */
import {
  type Efuses,
  type EfuseValue,
  efuseStateWords,
  efuseSummary,
  fieldMeaning,
  groupTitle,
} from '@wirebench/flasher/esp/efuses';
import { ChevronDown, ChevronRight, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { copyText } from '../../../../../../shared/files/copy-text.ts';
import { counted } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Field } from '../../../../../../shared/ui/field.tsx';
import { TextInput } from '../../../../../../shared/ui/text-input.tsx';
import styles from './security-view.module.css';

export interface EfuseTableProps {
  readonly efuses: Efuses;
  /** Name of the chip, for the head of the text. */
  readonly name: string;
}

export function EfuseTable({ efuses, name }: EfuseTableProps) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const table = useId();
  const found = efuses.values.filter((value) => matches(value, search));
  return (
    <section className={styles['all']} aria-label="All eFuses">
      <div className={`row ${styles['allHead']}`}>
        <button
          type="button"
          className={`row ${styles['fold']}`}
          aria-expanded={open}
          aria-controls={open ? table : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown /> : <ChevronRight />}
          All {counted(efuses.values.length, 'eFuse field')}
        </button>
        <Button
          size="sm"
          variant="quiet"
          icon={<Copy />}
          onClick={() => void copyText(efuseSummary(efuses, [`eFuses of ${name}, read by Wirebench`]), 'eFuses copied')}
        >
          Copy as text
        </Button>
      </div>
      {open ? (
        <div id={table} className={`stack apart ${styles['fields']}`}>
          <Field label="Search the fields">
            {(ids) => (
              <TextInput
                {...ids}
                type="search"
                value={search}
                placeholder="Name, value or meaning"
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            )}
          </Field>
          <p className="visually-hidden" role="status">
            {search === '' ? '' : counted(found.length, 'field')}
          </p>
          {found.length === 0 ? (
            <p>No field has “{search}” in its name, value or meaning.</p>
          ) : (
            groupsOf(found).map(([group, values]) => (
              <div key={group}>
                <h5 className={styles['group']}>{groupTitle(group)}</h5>
                <ul className={styles['list']}>
                  {values.map((value) => (
                    <FieldRow key={value.field.name} value={value} />
                  ))}
                </ul>
              </div>
            ))
          )}
        </div>
      ) : null}
    </section>
  );
}

type EfuseGroup = EfuseValue['field']['group'];

/** Returns the values by their groups. Security comes first, because it is what people look for. */
function groupsOf(values: readonly EfuseValue[]): (readonly [EfuseGroup, EfuseValue[]])[] {
  const groups = [...new Set(values.map(({ field }) => field.group))];
  const ordered = groups.toSorted((one, other) => Number(other === 'security') - Number(one === 'security'));
  return ordered.map((group) => [group, values.filter(({ field }) => field.group === group)] as const);
}

function matches(value: EfuseValue, search: string): boolean {
  const words = search.trim().toLowerCase();
  const { field, text } = value;
  return [field.name, text, fieldMeaning(field.name), groupTitle(field.group)].some((part) =>
    part.toLowerCase().includes(words),
  );
}

function FieldRow({ value }: { readonly value: EfuseValue }) {
  const { field, block, text, raw, readable, isBurnt } = value;
  return (
    <li className={styles['field']} data-burnt={isBurnt || !readable}>
      <span className={styles['fieldName']}>{field.name}</span>
      <span className={styles['block']}>BLOCK{block}</span>
      <span className={styles['value']}>
        {readable ? text : 'hidden'}
        {raw === null || !readable ? null : <span className={styles['raw']}> {raw}</span>}
      </span>
      <span className={styles['meaning']}>
        {[fieldMeaning(field.name), ...efuseStateWords(value)].filter((part) => part !== '').join(', ')}
      </span>
    </li>
  );
}
