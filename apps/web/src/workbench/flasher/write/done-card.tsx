/** What came of a write: the result, its receipt, and the way to the next one. */
import { boardStateText } from '@wirebench/flasher';
import { Check, ClipboardCopy, CopyPlus, Download, Info, Zap } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import type { FamilyWords } from '../page-family.ts';
import { rateText, sizeText } from '../quantities.ts';
import { Readout } from '../readout.tsx';
import type { FlashState } from '../state/flash-state.ts';
import { receiptText } from '../state/receipt.ts';
import { connectAgain, disconnect } from '../store/flash-actions.ts';
import { pageFamily } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import { useLostFocus } from '../use-lost-focus.ts';
import { type FlashCardProps, FlashMap } from './flash-map.tsx';
import styles from './write-card.module.css';

export function DoneCard({ port, flash }: FlashCardProps) {
  const again = useRef<HTMLButtonElement>(null);
  useLostFocus(again);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const count = useReceipts(({ all }) => all.length);
  const { report, board } = flash;
  if (report === null || receipt === null) {
    return null;
  }
  const family = pageFamily();
  const nothing = report.written === 0;
  const verified = report.state === 'complete';
  const copy = () => copyText(receiptText(receipt), 'Receipt copied');
  const save = () => saveFile(new Blob([receiptText(receipt)], { type: 'text/plain' }), `receipt-${receipt.at}.txt`);
  return (
    <section className={classNames(styles['card'], styles['done'])} aria-label="Result">
      <div className={styles['big']}>
        <div className={styles['result']}>
          <Check />
          <div>
            <h2>{nothing ? 'Nothing to write' : verified ? 'Written and verified' : 'Written, not verified'}</h2>
            <p>{doneText(flash, receipt.application, family.words)}</p>
          </div>
        </div>
        <Readout label="Took" value={(report.duration / 1_000).toFixed(1)} unit="s" />
        {nothing ? null : (
          <Readout
            label="Average"
            value={rateText(report.written / Math.max(report.duration / 1_000, 0.001))}
            unit="kB/s"
          />
        )}
      </div>
      <div className={styles['buttons']}>
        <Button ref={again} variant="primary" icon={<Zap />} onClick={() => void connectAgain(port)}>
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
        <span className={styles['count']}>Boards flashed in this session: {count}</span>
      </div>
      {board?.demo ? (
        <Aside>
          This was {family.demos.length === 1 ? `the ${family.demos[0].label}` : 'a demo board'}: it is simulated, and
          forgets its flash when this page is closed.
        </Aside>
      ) : null}
      {board?.afterwards ? <Aside>{board.afterwards}</Aside> : null}
      {verified ? null : <Aside>{boardStateText.unverified}</Aside>}
      <FlashMap flash={flash} />
    </section>
  );
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles['aside']}>
      <Info />
      {children}
    </p>
  );
}

function doneText(
  { report, restartByHand }: FlashState,
  application: string | null,
  { proof, restart }: FamilyWords,
): string {
  const { written = 0, same = 0 } = report ?? {};
  const what =
    written === 0
      ? `All ${sizeText(same)} were there already, each proven by ${proof}.`
      : `${sizeText(written)} written${same === 0 ? '' : `, ${sizeText(same)} were there already`}.`;
  if (restartByHand) {
    return `${what} The board could not be restarted from here. ${restart}`;
  }
  return `${what} The board restarted${application === null ? '' : ` and runs ${application}`}.`;
}
