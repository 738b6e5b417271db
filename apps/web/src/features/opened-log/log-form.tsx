/** Form of an opened log: its encoding, and the program that wrote the prefixes of its lines. */
import type { PortNumber } from '@wirebench/serial';
import { type LogProgramName, logEncodings, logProgramNames } from '@wirebench/serial/opened-log';
import { useId } from 'react';
import type { LogChoice } from '../../protocol/log-protocol.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { forgetForm } from '../../workbench/opened-log/kept-forms.ts';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';
import { isWhole, useLogs } from '../../workbench/opened-log/log-store.ts';
import { dateWords, encodingNames, heldText, placeText, programName, timesName } from './log-words.ts';
import { MarkTime } from './mark-time.tsx';
import styles from './opened-log.module.css';

/** Value of the option for a form that the person has marked. */
const MARKED = 'marked by the person';

export function LogForm({ log }: { readonly log: PortNumber }) {
  const opened = useLogs((tick) => tick.logs.find((one) => one.log === log) ?? null);
  const ids = { program: useId(), encoding: useId() };
  if (opened === null) {
    return null;
  }
  const { program, marked, encoding, isDamaged, hasTimes, hasBlocks, candidates } = opened;
  const dates = dateWords(opened);
  const choose = (choice: LogChoice) => void toastLogError(getLogs().call('choose', log, choice));
  const forget = (pattern: string) => {
    forgetForm(pattern);
    choose({ program: null });
  };
  return (
    <>
      <div className={styles['field']}>
        <label htmlFor={ids.program} className="silk">
          Written by
        </label>
        <Select
          id={ids.program}
          value={marked === null ? (program ?? '') : MARKED}
          disabled={encoding === 'bytes'}
          onChange={({ currentTarget: { value } }) => value !== MARKED && choose({ program: named(value) })}
        >
          <option value="">No times in front of lines</option>
          {marked === null ? null : <option value={MARKED}>{timesName(opened)}</option>}
          {logProgramNames.map((name) => (
            <option key={name} value={name}>
              {programName(name)}
            </option>
          ))}
        </Select>
      </div>
      <div className={styles['field']}>
        <label htmlFor={ids.encoding} className="silk">
          Encoding
        </label>
        <Select
          id={ids.encoding}
          value={encoding}
          onChange={({ currentTarget: { value } }) => {
            const chosen = logEncodings.find((one) => one === value);
            if (chosen !== undefined) {
              choose({ encoding: chosen });
            }
          }}
        >
          {logEncodings.map((name) => (
            <option key={name} value={name}>
              {encodingNames[name]}
            </option>
          ))}
        </Select>
      </div>
      {isDamaged && encoding === 'utf-8' ? (
        <p className={styles['note']}>Some bytes are no UTF-8. Choose Latin-1 if letters such as ä and ° look wrong.</p>
      ) : null}
      {candidates.length === 0 ? null : (
        <p className={styles['note']}>
          Nothing tells how its times are meant: {candidates.map(programName).join(' or ')}. Choose one to see them.
        </p>
      )}
      {dates === null ? null : <p className={styles['note']}>{dates.long}</p>}
      {hasTimes ? null : (
        <p className={styles['note']}>
          No times are recognised in its lines. The plot draws them in order, one a millisecond.
        </p>
      )}
      {hasTimes || encoding === 'bytes' ? null : (
        <div>
          <MarkTime log={opened} />
        </div>
      )}
      {marked === null ? null : (
        <div>
          <Button size="sm" onClick={() => forget(marked)}>
            Forget this form
          </Button>
        </div>
      )}
      {hasBlocks ? (
        <p className={styles['note']}>
          Lines without a time show that of the line above, with ↑. Exports leave it out.
        </p>
      ) : null}
      {isWhole(opened) ? null : (
        <p className={styles['note']}>
          Held: {heldText(opened)}, {placeText(opened)}.
        </p>
      )}
    </>
  );
}

const named = (value: string): LogProgramName | null => logProgramNames.find((name) => name === value) ?? null;
