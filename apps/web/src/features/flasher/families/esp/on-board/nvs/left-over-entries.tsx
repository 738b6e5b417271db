/** Entries that firmware does not read: erased, damaged or left over. They can only be looked at. */
import { hiddenText, isSecretKey, type NvsEntry, type NvsStore, shortText } from '@wirebench/flasher/esp/nvs';
import { ChevronDown, ChevronRight, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { addressText } from '../../../../../../shared/format/hex.ts';
import { counted } from '../../../../../../shared/format/numbers.ts';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import styles from './nvs.module.css';

/** Entries that are listed. A partition of 1 MB has room for 32,000. */
const MAX_SHOWN = 200;
const MAX_VALUE_LENGTH = 200;

const stateWords = {
  live: '',
  erased: 'erased',
  damaged: 'damaged',
  duplicate: 'not read, because an older entry has its name',
  orphan: 'left over without its namespace or blob',
  'unfinished-copy': 'left over from a move that the power interrupted',
} satisfies Record<NvsEntry['state'], string>;

const faultWords = {
  'entry-crc': 'the checksum of the entry is wrong',
  'data-crc': 'the checksum of the value is wrong',
  unfinished: 'the power failed while it was written',
  'bad-entry': 'its type or size is impossible',
  'chunks-missing': 'a part of the blob is missing',
} satisfies Record<NonNullable<NvsEntry['fault']>, string>;

/** Returns the entries that firmware does not read, damaged ones first. */
function leftOverEntries({ entries }: NvsStore): NvsEntry[] {
  const rank = ({ state }: NvsEntry) => (state === 'damaged' ? 0 : state === 'erased' ? 2 : 1);
  return entries.filter(({ state }) => state !== 'live').sort((one, other) => rank(one) - rank(other));
}

export function LeftOverEntries({ store }: { readonly store: NvsStore }) {
  const [open, setOpen] = useState(false);
  const entries = leftOverEntries(store);
  const badPages = store.pages.filter(({ state }) => state === 'corrupt').length;
  if (entries.length === 0 && badPages === 0) {
    return null;
  }
  const count = (state: NvsEntry['state']) => entries.filter((entry) => entry.state === state).length;
  const [erased, damaged] = [count('erased'), count('damaged')];
  const others = entries.length - erased - damaged;
  return (
    <section aria-label="Not read by firmware">
      <div className={styles['namespace']}>
        <h4>
          <button type="button" className="ring-inside" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? <ChevronDown /> : <ChevronRight />}
            <span>Not read by firmware</span>
            <span className="small ellipsis">
              {[
                ...(damaged === 0 ? [] : [`${damaged} damaged`]),
                ...(others === 0 ? [] : [`${others} left over`]),
                ...(erased === 0 ? [] : [`${erased} erased`]),
                ...(badPages === 0 ? [] : [`${counted(badPages, 'page')} without a valid header`]),
              ].join(', ')}
            </span>
          </button>
        </h4>
      </div>
      {open ? (
        <ul className={styles['rows']}>
          {entries.slice(0, MAX_SHOWN).map((entry) => (
            <LeftOver key={entry.offset} entry={entry} />
          ))}
        </ul>
      ) : null}
      {open && entries.length > MAX_SHOWN ? (
        <p className={styles['aside']}>and {entries.length - MAX_SHOWN} more</p>
      ) : null}
    </section>
  );
}

function LeftOver({ entry }: { readonly entry: NvsEntry }) {
  const { namespace, key, type, value, state, fault, offset } = entry;
  const [revealed, setRevealed] = useState(false);
  const secret = key !== null && value !== null && isSecretKey(namespace, key, value);
  const words = fault === null ? stateWords[state] : `${stateWords[state]}: ${faultWords[fault]}`;
  return (
    <li className={`${styles['row']} ${styles['left']}`}>
      <span className={styles['key']}>
        {key === null ? `at ${addressText(offset)}` : `${namespace === null ? '' : `${namespace}/`}${key}`}
      </span>
      <span className={styles['type']}>{type}</span>
      <span className={styles['cell']}>
        <span className={styles['value']}>
          <span className="ellipsis">
            {key === null || value === null
              ? ''
              : secret && !revealed
                ? hiddenText
                : shortText(namespace, key, value, MAX_VALUE_LENGTH)}
          </span>
        </span>
        {secret ? (
          <IconButton
            label={`${revealed ? 'Hide' : 'Show'} ${key} at ${addressText(offset)}`}
            size="sm"
            variant="quiet"
            icon={revealed ? <EyeOff /> : <Eye />}
            onClick={() => setRevealed(!revealed)}
          />
        ) : null}
      </span>
      <span className={styles['note']}>{words}</span>
    </li>
  );
}
