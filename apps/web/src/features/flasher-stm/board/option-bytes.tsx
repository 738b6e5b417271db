import type { StmOptionBytes } from '@wirebench/flasher/stm32';
import styles from '../../../workbench/flasher/board/contents-card.module.css';
import { hexAddress } from '../../../workbench/flasher/quantities.ts';
import tableStyles from '../../../workbench/flasher/table.module.css';

/** What the option bytes say. They are shown only: what they lock is not for a browser to change. */
export function OptionBytes({ options: { offset, fields } }: { readonly options: StmOptionBytes }) {
  return (
    <table className={`table ${tableStyles['table']}`}>
      <caption className="visually-hidden">Option bytes at {hexAddress(offset)}</caption>
      <thead>
        <tr>
          <th scope="col">Option byte</th>
          <th scope="col">Value</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, value, meaning }) => (
          <tr key={name}>
            <td className={styles['mono']}>{name}</td>
            <td className={styles['mono']}>{value}</td>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
