/** Says below the answer what is wrong with the start of the written program, and what helps. */
import { Notice } from '../../../shared/ui/notice.tsx';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import styles from './finding-list.module.css';
import { startText } from './start-text.ts';

export function StartRemedy() {
  const port = useFlasher(({ selected }) => selected);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const baudRate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const observation = useFlash(({ startObservation }) => startObservation);
  const demo = useFlash(({ board }) => board?.demo ?? false);
  const isEmptied = useFlash(({ emptied }) => emptied !== null);
  // An empty board starts nothing, as it was asked for.
  if (observation === null || isEmptied) {
    return null;
  }
  const { words } = pageFamily();
  const said = startText(observation, { application: receipt?.application ?? null, baudRate, words, demo });
  const fails = said.tone === 'failure';
  return said.remedy !== '' ? (
    <div className={`stack ${styles['list']}`}>
      <Notice level={fails ? 'error' : 'info'} title={said.what}>
        {said.remedy}
      </Notice>
    </div>
  ) : null;
}
