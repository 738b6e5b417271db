/** The images in the board's flash, with their versions and states, as the bootloader reports them. */
import { type NrfSlot, softdeviceText } from '@wirebench/flasher/nrf';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { useBoardContents } from '../../../store/board-contents.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import tableStyles from '../../../table.module.css';

/** Number of digits of a hash that are shown, as in git. */
const HASH_SHOWN = 12;

export function SlotsCard() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  const port = useFlasher(({ selected }) => selected);
  const { written } = useBoardContents(port);
  if (board?.family !== 'nrf' || phase === 'none' || phase === 'connecting' || board.info.slots.length === 0) {
    return null;
  }
  const { slots } = board.info;
  if (written) {
    return (
      <ContentsFold summary="Written since it was read">
        <p className="small">
          The board was written since its images were listed. Connect it again to see the images that it holds now.
        </p>
      </ContentsFold>
    );
  }
  return (
    <ContentsFold summary={slots.length === 1 ? '1 image' : `${slots.length} images`}>
      <table className={`table ${tableStyles['table']}`}>
        <thead>
          <tr>
            <th scope="col">Image</th>
            <th scope="col">Version</th>
            <th scope="col">State</th>
            <th scope="col" className={tableStyles['wide']}>
              Hash
            </th>
          </tr>
        </thead>
        <tbody>
          {slots.map((slot) => (
            <SlotRow key={`${slot.name} ${slot.version}`} slot={slot} />
          ))}
        </tbody>
      </table>
    </ContentsFold>
  );
}

function SlotRow({ slot: { name, version, state, hash } }: { readonly slot: NrfSlot }) {
  return (
    <tr>
      <td>{name.charAt(0).toUpperCase() + name.slice(1)}</td>
      <td className={styles['mono']}>{name === 'softdevice' ? softdeviceText(Number(version)) : version}</td>
      <td>{state.length === 0 ? 'unknown' : state.join(', ')}</td>
      <td className={`${styles['mono']} ${tableStyles['wide']}`}>
        {hash === null ? 'unknown' : hash.slice(0, HASH_SHOWN)}
      </td>
    </tr>
  );
}
