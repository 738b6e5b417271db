/** Shows the keys of a file or of an earlier read beside the board's, and takes chosen ones into the plan. */
import {
  hiddenText,
  isSameValue,
  isSecretKey,
  knownNamespace,
  type NvsEdit,
  type NvsGroup,
  type NvsRow,
  type NvsSource,
  type SourceKey,
  shortText,
} from '@wirebench/flasher/esp/nvs';
import { useMemo, useState } from 'react';
import { count, counted } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { Segmented } from '../../../../../../shared/ui/segmented.tsx';
import { Switch } from '../../../../../../shared/ui/switch.tsx';
import styles from './nvs.module.css';

/** Rows that are drawn. A partition of 1 MB has room for 32,000 keys. */
const MAX_SHOWN = 500;
const MAX_VALUE_LENGTH = 60;
/** Names of keys that are listed in a sentence. */
const MAX_NAMED = 12;

export interface TakeOverDialogProps {
  /** Null: the dialog is closed. */
  readonly source: NvsSource | null;
  readonly onClose: () => void;
  /** Keys of the board with the changes that are planned already. */
  readonly groups: readonly NvsGroup[];
  readonly locked: boolean;
  /** Puts the keys into the plan. @returns The reason why they cannot be written. */
  readonly onTake: (edits: readonly NvsEdit[]) => string | null;
}

export function TakeOverDialog(props: TakeOverDialogProps) {
  const { source, onClose } = props;
  // Keeps the last content visible while the dialog closes.
  const [shown, setShown] = useState(source);
  if (source !== null && source !== shown) {
    setShown(source);
  }
  if (shown === null) {
    return null;
  }
  return shown.refusal === null ? (
    <TakeOver key={shown.name + shown.what} {...props} source={shown} open={source !== null} />
  ) : (
    <Dialog open={source !== null} onClose={onClose} title={shown.name}>
      <Notice level="error" title={shown.refusal} />
    </Dialog>
  );
}

interface TakeOverProps extends TakeOverDialogProps {
  readonly source: NvsSource;
  readonly open: boolean;
}

interface Offer {
  readonly name: string;
  readonly from: SourceKey;
  /** Null: the board has no such key. */
  readonly onBoard: NvsRow | null;
  readonly differs: boolean;
  readonly secret: boolean;
}

function TakeOver({ source, open, onClose, groups, locked, onTake }: TakeOverProps) {
  const offers = useMemo(() => offersOf(source.keys, groups), [source, groups]);
  const different = offers.filter(({ differs }) => differs);
  const missing = missingKeys(source.keys, groups);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        different.filter(({ from }) => !(knownNamespace(from.namespace)?.leaveAlone ?? false)).map(({ name }) => name),
      ),
  );
  const [view, setView] = useState<'different' | 'all'>('different');
  const [secrets, setSecrets] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const taken = different.filter(({ name }) => chosen.has(name));
  const listed = view === 'all' ? offers : different;
  const take = () => {
    const reason = onTake(taken.map(({ from: { namespace, key, value } }) => ({ namespace, key, value })));
    setRefusal(reason);
    if (reason === null) {
      onClose();
    }
  };
  const choose = (name: string, wanted: boolean) => {
    const next = new Set(chosen);
    if (wanted) {
      next.add(name);
    } else {
      next.delete(name);
    }
    setChosen(next);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={source.name}
      footer={
        different.length === 0 ? undefined : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" disabled={locked || taken.length === 0} onClick={take}>
              Take {counted(taken.length, 'key')} over
            </Button>
          </>
        )
      }
    >
      <div className={`stack apart ${styles['form']}`}>
        <p className="small">{source.what}</p>
        {source.faults.length === 0 ? null : (
          <Notice level="warning" title={`${counted(source.faults.length, 'line')} cannot be read.`}>
            <ul className={styles['faults']}>
              {source.faults.slice(0, MAX_SHOWN).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </Notice>
        )}
        {refusal === null ? null : <Notice level="error" title={refusal} />}
        <div className={`buttons ${styles['tools']}`}>
          <Segmented
            label="Keys"
            options={[
              { value: 'different', label: `Differences (${count(different.length)})` },
              { value: 'all', label: `All (${count(offers.length)})` },
            ]}
            value={view}
            onChange={setView}
          />
          {offers.some(({ secret }) => secret) ? (
            <Switch label="Show secret values" checked={secrets} onChange={setSecrets} />
          ) : null}
        </div>
        {listed.length === 0 ? (
          <p>
            {offers.length > 0
              ? 'The board has all of these keys with the same values.'
              : source.faults.length > 0
                ? 'No key of it can be taken.'
                : 'It holds no keys.'}
          </p>
        ) : (
          <ul className={styles['offers']}>
            {listed.slice(0, MAX_SHOWN).map((offer) => (
              <li key={offer.name}>
                <OfferRow
                  offer={offer}
                  chosen={chosen.has(offer.name)}
                  revealed={secrets}
                  onChoose={(wanted) => choose(offer.name, wanted)}
                />
              </li>
            ))}
          </ul>
        )}
        {listed.length > MAX_SHOWN ? <p className="small">and {count(listed.length - MAX_SHOWN)} more</p> : null}
        {missing.length === 0 ? null : (
          <p className="small">
            {counted(missing.length, 'key')} only on the board: {missing.slice(0, MAX_NAMED).join(', ')}
            {missing.length > MAX_NAMED ? ` and ${count(missing.length - MAX_NAMED)} more` : ''}. Taking over leaves{' '}
            {missing.length === 1 ? 'it' : 'them'} unchanged.
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface OfferRowProps {
  readonly offer: Offer;
  readonly chosen: boolean;
  readonly revealed: boolean;
  readonly onChoose: (wanted: boolean) => void;
}

function OfferRow({ offer, chosen, revealed, onChoose }: OfferRowProps) {
  const { name, from, onBoard, differs, secret } = offer;
  const { namespace, key, value } = from;
  const hidden = secret && !revealed;
  const text = (shown: SourceKey['value']) =>
    hidden ? hiddenText : shortText(namespace, key, shown, MAX_VALUE_LENGTH) || 'empty';
  const now = onBoard?.after ?? null;
  const cells = (
    <>
      <span className={styles['key']}>{name}</span>
      <span className={styles['type']}>{value.type}</span>
      <span className={`ellipsis ${styles['taken']}`}>{text(value)}</span>
      <span className={`ellipsis ${styles['note']}`}>
        {!differs
          ? 'the same'
          : now === null
            ? 'not on the board'
            : hidden
              ? 'other value on the board'
              : `now ${text(now)}`}
      </span>
    </>
  );
  return differs ? (
    <label className={styles['offer']}>
      <input type="checkbox" checked={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.checked)} />
      {cells}
    </label>
  ) : (
    <div className={styles['offer']}>
      <span />
      {cells}
    </div>
  );
}

function offersOf(keys: readonly SourceKey[], groups: readonly NvsGroup[]): Offer[] {
  const rows = new Map(groups.flatMap((group) => group.rows).map((row) => [nameOf(row), row]));
  return keys.map((from) => {
    const name = nameOf(from);
    const onBoard = rows.get(name) ?? null;
    const now = onBoard?.after ?? null;
    return {
      name,
      from,
      onBoard,
      differs: now === null || !isSameValue(now, from.value),
      secret: isSecretKey(from.namespace, from.key, from.value, now),
    };
  });
}

function missingKeys(keys: readonly SourceKey[], groups: readonly NvsGroup[]): string[] {
  const names = new Set(keys.map(nameOf));
  return groups
    .flatMap(({ rows }) => rows.filter(({ after }) => after !== null))
    .map(nameOf)
    .filter((name) => !names.has(name));
}

/** Keys have no control characters but may hold a slash; two with the same text are one row here. */
function nameOf({ namespace, key }: { readonly namespace: string; readonly key: string }): string {
  return `${namespace}/${key}`;
}
