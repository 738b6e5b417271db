/** Selects the decoder that cuts what a port receives and sends into frames, and the port on which the answers come. */

import { readyDecoders } from '@wirebench/frames/ready-decoders';
import type { PortNumber } from '@wirebench/serial';
import { Pencil } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { decoderIdOf, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { usedPorts } from '../console/log-lines.ts';
import { showTool } from '../tools/open-tool.ts';
import styles from './decoder-field.module.css';
import { askingPort, changeDecoder, portName, useTerminalSettings } from './settings-store.ts';

const loadAnswers = () => import('./answers-field.tsx');
const loadKept = () => import('./kept-options.tsx');
const nothing = () => undefined;

export interface DecoderSelectProps {
  readonly id?: string;
  readonly port: PortNumber;
  /** Name of the field where it has no label of its own. */
  readonly label?: string;
}

/** Ready decoders and those that this browser keeps, with a way to the tool that makes them. */
export function DecoderSelect({ id, port, label }: DecoderSelectProps) {
  const { decoder, answersOn } = useTerminalSettings(({ ports }) => ports[port]);
  const asking = useTerminalSettings((settings) => {
    const other = askingPort(settings.ports, port);
    return other === null ? null : portName(settings, other);
  });
  const hasSeveral = useBenchStatus((view) => usedPorts(view).length > 1);
  const isChoice = decoder !== null && (hasSeveral || answersOn !== null);
  const answers = useLoaded(isChoice, loadAnswers, nothing);
  const kept = useLoaded(true, loadKept, nothing);
  if (asking !== null) {
    return (
      <span id={id} className={styles['answers']}>
        Answers to {asking}
      </span>
    );
  }
  return (
    <div className={styles['choice']}>
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
          icon={<Pencil />}
          onClick={() => showTool('decoders')}
        />
      </span>
      {answers !== null && isChoice ? <answers.AnswersSelect port={port} /> : null}
    </div>
  );
}
