/** Selects the decoder that cuts what a port receives and sends into frames. */

import { readyDecoders } from '@wirebench/frames/ready-decoders';
import type { PortNumber } from '@wirebench/serial';
import { SquarePen } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { decoderIdOf, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { showTool } from '../tools/open-tool.ts';
import styles from './decoder-field.module.css';
import { changeDecoder, useTerminalSettings } from './settings-store.ts';

const loadKept = () => import('./kept-options.tsx');
const nothing = () => undefined;

export interface DecoderSelectProps {
  readonly id?: string;
  readonly port: PortNumber;
  /** Name of the field where it has no label of its own. */
  readonly label?: string;
  /** Called when the tool of decoders was opened from here. */
  readonly onTool?: () => void;
}

/** Ready decoders and those that this browser keeps, with a way to the tool that makes them. */
export function DecoderSelect({ id, port, label, onTool }: DecoderSelectProps) {
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const kept = useLoaded(true, loadKept, nothing);
  return (
    <span className={styles['field']}>
      <Select
        id={id}
        aria-label={label}
        value={decoder ?? ''}
        onChange={(event) => changeDecoder(port, decoderIdOf(event.currentTarget.value))}
      >
        <option value="">None</option>
        {readyDecoders.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
        {kept !== null ? (
          <kept.KeptOptions chosen={decoder} />
        ) : isOwnDecoder(decoder) ? (
          <option value={decoder}>Your own</option>
        ) : null}
      </Select>
      <IconButton
        label="Decoders of your own"
        size="sm"
        variant="quiet"
        icon={<SquarePen />}
        onClick={() => {
          showTool('decoders');
          onTool?.();
        }}
      />
    </span>
  );
}
