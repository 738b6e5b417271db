/** Card with the result of a write, its receipt, and buttons for the next flash. */
import { boardStateText } from '@wirebench/flasher/core';
import { Check, ClipboardCopy, CopyPlus, Download, Info, TriangleAlert, Zap } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { kilobytesPerSecond, sizeText } from '../../../shared/format/bytes.ts';
import { useBringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { useLostFocus } from '../../../shared/ui/use-lost-focus.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { Readout } from '../../../workbench/readout.tsx';
import type { FamilyWords } from '../page-family.ts';
import type { FlashState } from '../state/flash-state.ts';
import { receiptText } from '../state/receipt.ts';
import { disconnect, resume } from '../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import { type FlashCardProps, FlashMap } from './flash-map.tsx';
import { PythonFiles } from './python-files.tsx';
import { sessionText } from './session-text.ts';
import { type StartText, startText } from './start-text.ts';
import styles from './write-card.module.css';

const sharedDemoText = 'This was a simulated board of the shared bench. No hardware was written.';

export function DoneCard({ port, flash }: FlashCardProps) {
  const again = useRef<HTMLButtonElement>(null);
  useLostFocus(again);
  const card = useRef<HTMLElement>(null);
  useBringIntoView(card, flash.report, true);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const session = useReceipts(({ all }) => sessionText(all));
  const baudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const isHere = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const { report, board, startObservation } = flash;
  if (report === null || receipt === null) {
    return null;
  }
  const family = pageFamily();
  const demo = family.demos.length === 1 ? `the ${family.demos[0].label}` : 'a demo board';
  const hereText = `This was ${demo}. It is simulated, and its flash is lost when you close this page.`;
  const nothing = report.written === 0;
  const verified = report.state === 'complete';
  const said =
    startObservation &&
    startText(startObservation, {
      application: receipt.application,
      baudRate,
      words: family.words,
      demo: receipt.demo,
    });
  const failed = said?.tone === 'failure';
  const title = nothing ? 'Nothing to write' : verified ? 'Written and verified' : 'Written, not verified';
  const copy = () => copyText(receiptText(receipt), 'Receipt copied');
  const save = () => saveFile(new Blob([receiptText(receipt)], { type: 'text/plain' }), `receipt-${receipt.at}.txt`);
  return (
    <section
      ref={card}
      className={classNames('card', styles['card'], styles['done'], (failed || !verified) && styles['doubtful'])}
      aria-label="Result"
    >
      <div className={styles['big']}>
        <div className={styles['result']}>
          {failed || !verified ? <TriangleAlert /> : <Check />}
          <div>
            <h2>{title}</h2>
            <p>{doneText(flash, said, family.words)}</p>
          </div>
        </div>
        <Readout label="Took" value={(report.duration / 1_000).toFixed(1)} unit="s" />
        {nothing ? null : (
          <Readout
            label="Average"
            value={kilobytesPerSecond(report.written / Math.max(report.duration / 1_000, 0.001))}
            unit="kB/s"
          />
        )}
      </div>
      {said !== null && (failed || said.tone === 'unsure') ? (
        <div className={styles['program']}>
          <Notice level={failed ? 'error' : 'info'} title={said.what}>
            {said.remedy}
          </Notice>
        </div>
      ) : null}
      <PythonFiles port={port} when="after" />
      <div className={`buttons ${styles['buttons']}`}>
        <Button ref={again} variant="primary" icon={<Zap />} onClick={() => void resume(port)}>
          Flash again
        </Button>
        <Button icon={<CopyPlus />} onClick={() => void disconnect(port)}>
          Flash another board
        </Button>
        <Button icon={<ClipboardCopy />} onClick={() => void copy()}>
          Copy receipt
        </Button>
        <Button icon={<Download />} onClick={save}>
          Save receipt
        </Button>
        <span className={styles['count']}>{session}</span>
      </div>
      {board?.demo ? <Aside>{isHere ? hereText : sharedDemoText}</Aside> : null}
      {board?.afterwards ? <Aside>{board.afterwards}</Aside> : null}
      {verified ? null : <Aside>{boardStateText.unverified}</Aside>}
      <FlashMap flash={flash} />
    </section>
  );
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <p className={`row ${styles['aside']}`}>
      <Info />
      {children}
    </p>
  );
}

function doneText({ report, restartByHand }: FlashState, said: StartText | null, words: FamilyWords): string {
  const { written = 0, same = 0 } = report ?? {};
  const what =
    written === 0
      ? `All ${sizeText(same)} was already there, ${words.proof}.`
      : `${sizeText(written)} written${same === 0 ? '' : `, ${sizeText(same)} was already there`}.`;
  if (said !== null && (said.tone === 'good' || said.tone === 'waiting')) {
    return `${what} ${said.what}`;
  }
  return restartByHand
    ? `${what} The board could not be restarted from here. ${words.restart}`
    : `${what} The board was restarted.`;
}
