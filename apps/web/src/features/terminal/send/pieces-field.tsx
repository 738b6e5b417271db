/** Pieces in which text goes to a port whose board cannot take it at once. Chosen once, they are kept for the port. */
import { type PortNumber, pieceLimits, type SendPieces } from '@wirebench/serial';
import { useState } from 'react';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { changeTyping, useTerminalSettings } from '../settings/settings-store.ts';
import { firstPieces } from '../settings/terminal-settings.ts';
import styles from './pieces-field.module.css';

export function PiecesField({ port }: { readonly port: PortNumber }) {
  const pieces = useTerminalSettings(({ ports }) => ports[port].pieces);
  const change = (changed: Partial<SendPieces>) =>
    changeTyping(port, { pieces: { ...(pieces ?? firstPieces), ...changed } });
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  return (
    <span className={styles['pieces']}>
      <label title="For boards that lose text when it comes at once. All text that is sent to this port goes so.">
        <input
          type="checkbox"
          checked={pieces !== null}
          onChange={(event) => changeTyping(port, { pieces: event.currentTarget.checked ? firstPieces : null })}
        />
        In pieces
      </label>
      {pieces === null ? null : (
        <>
          <PieceNumber
            label="Bytes of a piece"
            value={pieces.bytes}
            least={1}
            most={mostBytes}
            onChange={(bytes) => change({ bytes })}
          />
          bytes,
          <PieceNumber
            label="Pause after a piece in milliseconds"
            value={pieces.pause}
            least={leastPause}
            most={mostPause}
            onChange={(pause) => change({ pause })}
          />
          ms <span className={styles['apart']}>apart</span>
        </>
      )}
    </span>
  );
}

interface PieceNumberProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A number that is stored as soon as it is valid. Leaving the field shows the stored one again. */
function PieceNumber({ label, value, least, most, onChange }: PieceNumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && readWhole(typed, least, most) === null;
  return (
    <TextInput
      mono
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? String(value)}
      aria-invalid={isWrong || undefined}
      title={isWrong ? `From ${least} to ${most}` : undefined}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const number = readWhole(text, least, most);
        setTyped(text);
        if (number !== null) {
          onChange(number);
        }
      }}
    />
  );
}

function readWhole(text: string, least: number, most: number): number | null {
  const number = Number(text);
  return /^\s*\d+\s*$/.test(text) && number >= least && number <= most ? number : null;
}
