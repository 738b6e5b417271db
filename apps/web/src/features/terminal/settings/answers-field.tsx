/** Selects the port on which the answers to a port's frames come. Loaded where several ports are used. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Select } from '../../../shared/ui/select.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { usedPorts } from '../console/log-lines.ts';
import { changePort, portName, useTerminalSettings } from './settings-store.ts';

export interface AnswersSelectProps {
  readonly port: PortNumber;
}

export function AnswersSelect({ port }: AnswersSelectProps) {
  const answersOn = useTerminalSettings(({ ports }) => ports[port].answersOn);
  const names = useTerminalSettings((settings) => portNumbers.map((one) => portName(settings, one)).join('\n'));
  const used = useBenchStatus((view) => usedPorts(view).join());
  const nameOf = (one: PortNumber) => names.split('\n')[one - 1] ?? '';
  const others = portNumbers.filter((one) => one !== port && (used.includes(`${one}`) || one === answersOn));
  return (
    <Select
      aria-label={`Answers to ${nameOf(port)}`}
      value={answersOn ?? ''}
      onChange={(event) =>
        changePort(port, { answersOn: portNumbers.find((one) => `${one}` === event.currentTarget.value) ?? null })
      }
    >
      <option value="">Answers come on this port</option>
      {others.map((one) => (
        <option key={one} value={one}>
          Answers come on {nameOf(one)}
        </option>
      ))}
    </Select>
  );
}
