import { type FileWay, fileWays, longestFileName } from '@wirebench/runs';
import { useId } from 'react';
import { protocolNames } from '../../../protocol/transfer-names.ts';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './message-form.module.css';

export const fileWayNames = {
  raw: 'as it is',
  lines: 'line by line',
  ...protocolNames,
} satisfies Record<FileWay, string>;

export interface MessageFileFieldProps {
  /** Null: no file is sent. */
  readonly by: FileWay | null;
  readonly name: string;
  readonly onChange: (by: FileWay | null, name: string) => void;
}

/** Fields for a file that is sent after the message: the way to send it, and the name of the wanted file. */
export function MessageFileField({ by, name, onChange }: MessageFileFieldProps) {
  const wayId = useId();
  const nameId = useId();
  return (
    <>
      <div className={styles['text']}>
        <label htmlFor={wayId} className="silk">
          Then send
        </label>
        <Select
          id={wayId}
          value={by ?? ''}
          onChange={(event) => onChange(fileWays.find((known) => known === event.currentTarget.value) ?? null, name)}
        >
          <option value="">nothing</option>
          {fileWays.map((known) => (
            <option key={known} value={known}>
              a file, {fileWayNames[known]}
            </option>
          ))}
        </Select>
      </div>
      {by === null ? null : (
        <div className={styles['text']}>
          <label htmlFor={nameId} className="silk">
            File name
          </label>
          <TextInput
            id={nameId}
            mono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={longestFileName}
            placeholder="any, chosen when it is sent"
            value={name}
            onChange={(event) => onChange(by, event.currentTarget.value)}
          />
        </div>
      )}
    </>
  );
}
