import type { SendPace } from '@wirebench/serial';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import { useId, useState } from 'react';
import { protocolNames } from '../../../protocol/transfer-names.ts';
import { rateText, sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { returnToTyping } from '../screen/screen-settings.ts';
import { areChosenUnchanged, cancelFile, sendChosenFile, takeChosen, useChosenFile } from './file-sending.ts';
import styles from './send-bar.module.css';
import { startSend, useHasTransfers } from './transfer/transfers.ts';

const loadTransferStrips = () => import('./transfer/transfer-strips.tsx');

const paces = [
  { name: 'wire', label: 'At line speed', pace: { kind: 'wire' } },
  { name: 'lines', label: 'Line by line, 50 ms apart', pace: { kind: 'lines', pause: 50 } },
  { name: 'chunks', label: '64 bytes at a time, 20 ms apart', pace: { kind: 'chunks', bytes: 64, pause: 20 } },
  { name: 'free', label: 'As fast as the port accepts', pace: { kind: 'free' } },
] as const satisfies readonly { name: string; label: string; pace: SendPace }[];

type Way = (typeof paces)[number]['name'] | TransferProtocol;

const protocols = Object.keys(protocolNames) as TransferProtocol[];
/** XMODEM and raw sending take one file. */
const batchProtocols: readonly TransferProtocol[] = ['ymodem', 'zmodem'];

/** Strips of files: the chosen one with the way to send it, its progress, and transfers by protocol. */
export function FileStrip() {
  const hasTransfers = useHasTransfers();
  // A transfer goes on without its strips. The next one requests them again.
  const strips = useLoaded(hasTransfers, loadTransferStrips, () => undefined);
  return (
    <>
      <ChosenStrip />
      {hasTransfers && strips !== null ? <strips.TransferStrips /> : null}
    </>
  );
}

function ChosenStrip() {
  const chosen = useChosenFile();
  const [last, setLast] = useState<Way>('wire');
  const [picked, setPicked] = useState<{ readonly file: File; readonly way: Way } | null>(null);
  const [resume, setResume] = useState(false);
  const remote = useBenchStatus(({ devices }) => chosen !== null && devices[chosen.port]?.kind === 'remote');
  const id = useId();
  if (chosen === null) {
    return null;
  }
  const { port, file, more, asked, cancel } = chosen;
  const isBatch = more.length > 0;
  const offered: readonly Way[] = [
    ...(isBatch ? [] : paces.map(({ name }) => name)),
    ...(remote ? [] : isBatch ? batchProtocols : protocols),
  ];
  const wanted = picked?.file === file ? picked.way : (asked ?? last);
  const way = offered.find((known) => known === wanted) ?? offered[0] ?? 'wire';
  const size = [file, ...more].reduce((sum, one) => sum + one.size, 0);
  const send = async () => {
    setLast(way);
    returnToTyping();
    if (!(await areChosenUnchanged())) {
      return;
    }
    const pace = paces.find(({ name }) => name === way)?.pace;
    if (pace !== undefined) {
      void sendChosenFile(pace);
      return;
    }
    const taken = takeChosen();
    const protocol = protocols.find((known) => known === way);
    if (taken !== null && protocol !== undefined) {
      startSend(port, [taken.file, ...taken.more], protocol, resume);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form's own fields
    <div role="group" aria-label={`Send a file to port ${port}`} className={styles['repeat']} data-port={port}>
      <PortFlag port={port} />
      <code className={`ellipsis ${styles['repeated']}`}>
        {file.name}
        {isBatch ? ` and ${more.length} more` : ''}
      </code>
      {cancel === null ? (
        <>
          <span>{sizeText(size)}</span>
          <label htmlFor={id} className="visually-hidden">
            Way to send the file
          </label>
          <span className={styles['pace']}>
            <Select
              id={id}
              value={way}
              onChange={(event) =>
                setPicked({ file, way: offered.find((known) => known === event.currentTarget.value) ?? way })
              }
            >
              {paces
                .filter(({ name }) => offered.includes(name))
                .map((known) => (
                  <option key={known.name} value={known.name}>
                    {known.label}
                  </option>
                ))}
              {protocols
                .filter((known) => offered.includes(known))
                .map((known) => (
                  <option key={known} value={known}>
                    {protocolNames[known]}
                  </option>
                ))}
            </Select>
          </span>
          {way === 'zmodem' && (
            <label className={styles['resume']}>
              <input type="checkbox" checked={resume} onChange={(event) => setResume(event.currentTarget.checked)} />
              Continue a partial file
            </label>
          )}
          <Button size="sm" variant="primary" onClick={() => void send()}>
            Send file
          </Button>
        </>
      ) : (
        <Progress port={port} />
      )}
      <Button
        size="sm"
        aria-label={cancel === null ? 'Cancel the file' : 'Cancel sending the file'}
        onClick={() => {
          cancelFile();
          returnToTyping();
        }}
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
