/** Selects the decoder that cuts what a port receives and sends into frames. */

import { type ReadyDecoder, readyDecoderNamed, readyDecoders } from '@wirebench/frames/ready-decoders';
import type { PortNumber } from '@wirebench/serial';
import { Select } from '../../../shared/ui/select.tsx';
import { changeDecoder, useTerminalSettings } from './settings-store.ts';

export interface DecoderSelectProps {
  readonly id?: string;
  readonly port: PortNumber;
  /** Name of the field where it has no label of its own. */
  readonly label?: string;
  readonly onChange?: (decoder: ReadyDecoder | null) => void;
}

export function DecoderSelect({ id, port, label, onChange }: DecoderSelectProps) {
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  return (
    <Select
      id={id}
      aria-label={label}
      value={decoder ?? ''}
      onChange={(event) => {
        const chosen = readyDecoderNamed(event.currentTarget.value);
        changeDecoder(port, chosen);
        onChange?.(chosen);
      }}
    >
      <option value="">None</option>
      {readyDecoders.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </Select>
  );
}
