/** Docked strips of file transfers: offers of boards, the choice of a protocol, progress, and received files. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { TransferProtocol } from '@wirebench/serial/transfer';
import { FileDown, FileUp, Square } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { RunningTransfer, TransferOffer } from '../../../../protocol/bench/job-part.ts';
import { protocolNames } from '../../../../protocol/transfer-names.ts';
import { rateText, sizeText } from '../../../../shared/format/bytes.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../../shared/ui/progress-bar.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { returnToTyping } from '../../screen/screen-settings.ts';
import { chooseFile } from '../file-sending.ts';
import styles from './transfer-strips.module.css';
import {
  chooseReceive,
  discardKept,
  dismissOffer,
  type KeptFile,
  saveKept,
  startReceive,
  startSend,
  stopTransfer,
  useTransfers,
} from './transfers.ts';

/** A receiver takes blocks of both sizes, so there is one XMODEM to receive by. */
const receiveProtocols = ['zmodem', 'ymodem', 'xmodem'] as const satisfies readonly TransferProtocol[];

export function TransferStrips() {
  const running = useBenchStatus(({ transfers }) => transfers);
  const offers = useBenchStatus(({ transferOffers }) => transferOffers);
  const dismissed = useTransfers((state) => state.dismissed);
  const receiving = useTransfers((state) => state.receiving);
  const kept = useTransfers((state) => state.kept);
  return (
    <>
      {portNumbers.map((port) => {
        const transfer = running[port];
        const offer = offers[port];
        if (transfer !== null) {
          return <RunningStrip key={port} port={port} transfer={transfer} />;
        }
        return offer !== null && !dismissed.has(offer.id) ? <OfferStrip key={port} port={port} offer={offer} /> : null;
      })}
      {receiving !== null && running[receiving] === null && <ReceiveStrip port={receiving} />}
      {kept.map((file) => (
        <KeptStrip key={file.id} file={file} />
      ))}
    </>
  );
}

interface RunningStripProps {
  readonly port: PortNumber;
  readonly transfer: RunningTransfer;
}

function RunningStrip({ port, transfer: { direction, protocol, progress } }: RunningStripProps) {
  const name = progress?.name ?? (direction === 'send' ? 'Waiting for the board' : 'Waiting for a file');
  const of = progress?.count != null && progress.count > 1 ? ` (${progress.index + 1} of ${progress.count})` : '';
  const done = progress === null || !progress.isTotalKnown ? null : share(progress.sent, progress.total);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form's own fields
    <div role="group" aria-label={`File transfer on port ${port}`} className={styles['strip']} data-port={port}>
      <PortFlag port={port} />
      <code className={`ellipsis ${styles['name']}`}>
        {name}
        {of}
      </code>
      <span className={styles['protocol']}>{protocolNames[protocol]}</span>
      <ProgressBar className={styles['bar']} label={direction === 'send' ? 'Sent' : 'Received'} done={done} />
      {progress !== null && (
        <span className={styles['facts']}>
          {done === null ? '' : `${Math.floor(done * 100)} %, `}
          {sizeText(progress.sent)}
          {progress.isTotalKnown ? ` of ${sizeText(progress.total)}` : ''}, {rateText(progress.rate)}
          {progress.isTotalKnown && progress.left !== null ? `, ${Math.ceil(progress.left / 1_000)} s left` : ''}
          {progress.repeats === 0 ? '' : `, ${progress.repeats} repeated`}
        </span>
      )}
      <Button
        size="sm"
        className={styles['end']}
        icon={<Square />}
        aria-label={`Stop the file transfer on port ${port}`}
        onClick={() => {
          stopTransfer(port);
          returnToTyping();
        }}
      >
        Stop
      </Button>
    </div>
  );
}

/** An empty file is there at once. */
function share(done: number, total: number): number {
  return total === 0 ? 1 : Math.min(1, done / total);
}

interface OfferStripProps {
  readonly port: PortNumber;
  readonly offer: TransferOffer;
}

function OfferStrip({ port, offer: { id, kind, protocol } }: OfferStripProps) {
  const input = useRef<HTMLInputElement>(null);
  const asked: TransferProtocol = protocol === 'zmodem' ? 'zmodem' : 'ymodem';
  return (
    <div role="status" className={styles['strip']} data-port={port}>
      <PortFlag port={port} />
      <span className={styles['offer']}>
        {kind === 'send'
          ? `The board on Port ${port} waits for a file (${protocol === 'zmodem' ? 'ZMODEM' : 'XMODEM or YMODEM'}).`
          : `The board on Port ${port} wants to send a file (ZMODEM).`}
      </span>
      <span className={styles['end']}>
        {kind === 'send' ? (
          <Button size="sm" icon={<FileUp />} onClick={() => input.current?.click()}>
            Choose a file…
          </Button>
        ) : (
          <Button
            size="sm"
            icon={<FileDown />}
            onClick={() => {
              startReceive(port, asked);
              returnToTyping();
            }}
          >
            Receive
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          onClick={() => {
            dismissOffer(id);
            returnToTyping();
          }}
        >
          Not now
        </Button>
      </span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={`File that the board on port ${port} waits for`}
        onChange={(event) => {
          const [file, ...more] = event.currentTarget.files ?? [];
          if (file !== undefined) {
            dismissOffer(id);
            if (protocol === 'zmodem') {
              // The board has said what it waits for: nothing is left to ask.
              startSend(port, [file, ...more], asked, false);
            } else {
              chooseFile(port, file, more, asked);
            }
            returnToTyping();
          }
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function ReceiveStrip({ port }: { readonly port: PortNumber }) {
  const [protocol, setProtocol] = useState<TransferProtocol>('zmodem');
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form's own fields
    <div role="group" aria-label={`Receive a file from port ${port}`} className={styles['strip']} data-port={port}>
      <PortFlag port={port} />
      <span>Receive a file</span>
      <label htmlFor={id} className="visually-hidden">
        Protocol to receive by
      </label>
      <span className={styles['choice']}>
        <Select
          id={id}
          value={protocol}
          onChange={(event) =>
            setProtocol(receiveProtocols.find((known) => known === event.currentTarget.value) ?? protocol)
          }
        >
          {receiveProtocols.map((known) => (
            <option key={known} value={known}>
              {protocolNames[known]}
            </option>
          ))}
        </Select>
      </span>
      <span className={styles['end']}>
        <Button
          size="sm"
          variant="primary"
          onClick={() => {
            startReceive(port, protocol);
            returnToTyping();
          }}
        >
          Receive
        </Button>
        <Button
          size="sm"
          onClick={() => {
            chooseReceive(null);
            returnToTyping();
          }}
        >
          Cancel
        </Button>
      </span>
    </div>
  );
}

function KeptStrip({ file }: { readonly file: KeptFile }) {
  return (
    <div role="status" className={styles['strip']} data-port={file.port}>
      <PortFlag port={file.port} />
      <code className={`ellipsis ${styles['name']}`}>{file.name}</code>
      <span>received, {sizeText(file.content.size)}</span>
      <span className={styles['end']}>
        <Button
          size="sm"
          icon={<FileDown />}
          aria-label={`Save ${file.name}`}
          onClick={() => {
            saveKept(file);
            returnToTyping();
          }}
        >
          Save
        </Button>
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Discard ${file.name}`}
          onClick={() => {
            discardKept(file);
            returnToTyping();
          }}
        >
          Discard
        </Button>
      </span>
    </div>
  );
}
