/** The check that flash is unchanged: its switch, its progress, and its result. */

import type { FlashCheck, FlashHash } from '../../../protocol/flash-facts.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { cancel, chooseCheckFlash } from '../store/lab-actions.ts';
import { useLab } from '../store/lab-store.ts';
import styles from './connect-view.module.css';

/** Returns true while flash is hashed after the bench. The board is then no longer shown. */
export const useHashingAfter = () =>
  useLab(({ phase, tick }) => phase === 'leaving' && tick.flash?.reading === 'after');

export function FlashCheckSwitch() {
  const checked = useLab((state) => state.checkFlash);
  return (
    <div className={styles['check']}>
      <Switch label="Check that flash is unchanged" checked={checked} onChange={chooseCheckFlash} />
      {checked ? (
        <p className="small">
          The flasher hashes all of flash before the bench opens and after you leave, each time up to half a minute for
          4 MB. It does that with its stub in RAM, which a reset takes away before the bench opens; a board without
          reset lines does it in its ROM. The bench itself cannot reach flash.
        </p>
      ) : null}
    </div>
  );
}

export function Hashing() {
  const hashesAfter = useHashingAfter();
  return (
    <section className={`card ${styles['card']}`} aria-label="Check of flash">
      <p className="row" role="status">
        <Spinner />
        {hashesAfter ? 'Hashing all of flash after the bench…' : 'Hashing all of flash before the bench opens…'}
      </p>
      <Button onClick={cancel}>{hashesAfter ? 'Skip' : 'Cancel'}</Button>
    </section>
  );
}

/** Shows the result. Renders nothing while a hash is missing. */
export function FlashResult({ check: { before, after, failure, notRestarted } }: { readonly check: FlashCheck }) {
  if (before === null || (after === null && failure === null)) {
    return null;
  }
  const same = before.md5 === after?.md5;
  const level = after === null ? 'warning' : same ? 'success' : 'error';
  const title =
    after === null
      ? 'Flash was not compared.'
      : same
        ? `Flash is unchanged: all ${memoryText(before.bytes)} have the same hash.`
        : 'Flash is not the same as before.';
  return (
    <Notice level={level} title={title}>
      {after === null ? failure : null}
      {notRestarted === null ? null : <p>{notRestarted}</p>}
      {after === null || same
        ? null
        : 'Where the board restarted by itself meanwhile, its own program may have written to it.'}
      <dl className={styles['hashes']}>
        <Hash name="Before" hash={before} />
        {after === null ? null : <Hash name="After" hash={after} />}
      </dl>
    </Notice>
  );
}

function Hash({ name, hash }: { readonly name: string; readonly hash: FlashHash }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        MD5 <code>{hash.md5}</code>, {(hash.took / 1_000).toFixed(1)} s
      </dd>
    </div>
  );
}
