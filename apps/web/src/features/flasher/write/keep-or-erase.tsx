/** Asks a visitor of a release, before the write, if what the board has stored is kept. */
import { keepQuestion, type StoredSettings } from '@wirebench/flasher/core';
import { useId, useState } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { changeSettings } from '../store/settings-actions.ts';
import styles from './keep-or-erase.module.css';
import { useSettingsLock } from './settings-frame.tsx';

/** Draws nothing for boards that cannot be erased or have stored nothing, and for plans that cannot be carried out. */
export function KeepOrErase() {
  const name = useId();
  const own = useFlasher(({ settings }) => settings.own);
  const board = useFlash((flash) => flash.board);
  const plan = useFlash((flash) => flash.plan);
  const phase = useFlash((flash) => flash.phase);
  const locked = useSettingsLock();
  const { erasing } = pageFamily();
  // The plan is made again with each answer. The question stays, so that it keeps the focus.
  const [known, setKnown] = useState<{ readonly stored: StoredSettings | null | undefined } | null>(null);
  if (plan !== null && (known === null || known.stored !== plan.stored)) {
    setKnown({ stored: plan.stored });
  }
  const isPlanned =
    plan === null
      ? known !== null && (phase === 'planning' || phase === 'detected')
      : phase === 'planned' && plan.refusals.length === 0;
  const question = isPlanned ? keepQuestion(plan === null ? known?.stored : plan.stored) : null;
  if (erasing === undefined || board === null || question === null) {
    return null;
  }
  if ('canErase' in board && board.canErase === false) {
    return null;
  }
  const isAll = erasing.isAll(own);
  const answers = [
    { ...question.keep, all: false },
    { ...question.erase, all: true },
  ];
  return (
    <fieldset className={styles['question']} disabled={locked}>
      <legend className="visually-hidden">{question.text}</legend>
      {answers.map(({ label, note, all }) => (
        <label
          key={label}
          className={classNames(
            styles['answer'],
            isAll === all && styles['chosen'],
            !all && note === '' && plan?.stored?.canBeKept === false && styles['lost'],
          )}
        >
          <input
            type="radio"
            name={name}
            checked={isAll === all}
            onChange={() => changeSettings({ own: erasing.choose(own, all) })}
          />
          <span>{label}</span>
          <small>{note}</small>
        </label>
      ))}
    </fieldset>
  );
}
