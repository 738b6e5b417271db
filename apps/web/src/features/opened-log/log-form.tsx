/** Form of an opened log: its encoding, and the program that wrote the prefixes of its lines. */
import type { PortNumber } from '@wirebench/serial';
import { type LogProgramName, logEncodings, logProgramNames } from '@wirebench/serial/opened-log';
import { useId } from 'react';
import { Select } from '../../shared/ui/select.tsx';
import { getLogs, toastLogError } from '../../workbench/opened-log/log-line.ts';
import { isWhole, useLogs } from '../../workbench/opened-log/log-store.ts';
import { dateWords, encodingNames, heldText, placeText, programName } from './log-words.ts';
import styles from './opened-log.module.css';

export function LogForm({ log }: { readonly log: PortNumber }) {
  const opened = useLogs((tick) => tick.logs.find((one) => one.log === log) ?? null);
  const ids = { program: useId(), encoding: useId() };
  if (opened === null) {
    return null;
  }
  const { program, encoding, isDamaged, hasTimes, candidates } = opened;
  const dates = dateWords(opened);
  const choose = (choice: object) => void toastLogError(getLogs().call('choose', log, choice));
  return (
    <>
      <div className={styles['field']}>
        <label htmlFor={ids.program} className="silk">
          Written by
        </label>
        <Select
          id={ids.program}
          value={program ?? ''}
          disabled={encoding === 'bytes'}
          onChange={(event) => choose({ program: named(event.currentTarget.value) })}
        >
          <option value="">No times in front of lines</option>
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
          onChange={(event) => choose({ encoding: logEncodings.find((one) => one === event.currentTarget.value) })}
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
        <p className={styles['note']}>Its lines have no times. The plot draws them in order, one a millisecond.</p>
      )}
      {isWhole(opened) ? null : (
        <p className={styles['note']}>
          Held: {heldText(opened)}, {placeText(opened)}.
        </p>
      )}
    </>
  );
}

const named = (value: string): LogProgramName | null => logProgramNames.find((name) => name === value) ?? null;
