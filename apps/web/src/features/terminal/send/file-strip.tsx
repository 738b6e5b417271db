import type { SendPace } from '@wirebench/serial';
import { useId, useState } from 'react';
import { rateText, sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { cancelFile, sendChosenFile, useChosenFile } from './file-sending.ts';
import styles from './send-bar.module.css';

const paces = [
  { name: 'wire', label: 'At line speed', pace: { kind: 'wire' } },
  { name: 'lines', label: 'Line by line, 50 ms apart', pace: { kind: 'lines', pause: 50 } },
  { name: 'chunks', label: '64 bytes at a time, 20 ms apart', pace: { kind: 'chunks', bytes: 64, pause: 20 } },
  { name: 'free', label: 'As fast as the port accepts', pace: { kind: 'free' } },
] as const satisfies readonly { name: string; label: string; pace: SendPace }[];

/** Strip of the chosen file: choice of the pace, then the progress. */
export function FileStrip() {
  const chosen = useChosenFile();
  const [name, setName] = useState<(typeof paces)[number]['name']>('wire');
  const id = useId();
  if (chosen === null) {
    return null;
  }
  const { port, file, cancel } = chosen;
  const pace = (paces.find((known) => known.name === name) ?? paces[0]).pace;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form's own fields
    <div role="group" aria-label={`Send a file to port ${port}`} className={styles['repeat']} data-port={port}>
      <PortFlag port={port} />
      <code className={`ellipsis ${styles['repeated']}`}>{file.name}</code>
      {cancel === null ? (
        <>
          <span>{sizeText(file.size)}</span>
          <label htmlFor={id} className="visually-hidden">
            Pace
          </label>
          <span className={styles['pace']}>
            <Select
              id={id}
              value={name}
              onChange={(event) =>
                setName(paces.find((known) => known.name === event.currentTarget.value)?.name ?? name)
              }
            >
              {paces.map((known) => (
                <option key={known.name} value={known.name}>
                  {known.label}
                </option>
              ))}
            </Select>
          </span>
          <Button size="sm" variant="primary" onClick={() => void sendChosenFile(pace)}>
            Send file
          </Button>
        </>
      ) : (
        <Progress port={port} />
      )}
      <Button
        size="sm"
        aria-label={cancel === null ? 'Discard the file' : 'Cancel sending the file'}
        onClick={cancelFile}
      >
        Cancel
      </Button>
    </div>
  );
}

function Progress({ port }: { readonly port: 1 | 2 | 3 | 4 }) {
  const progress = useBenchStatus(({ sends }) => sends[port]);
  if (progress === null) {
    return <span>Starting</span>;
  }
  const { sent, total, left } = progress;
  return (
    <>
      <ProgressBar className={styles['progress']} label="Sent" done={sent / total} />
      <span>
        {sizeText(sent)} of {sizeText(total)}, {rateText(progress.rate)}
        {left === null ? '' : `, ${Math.ceil(left / 1_000)} s left`}
      </span>
    </>
  );
}
