import type { DeviceFamily } from '@wirebench/contract/constants';
import styles from './how-it-goes.module.css';

const pickText = {
  esp: 'The browser asks which board to use.',
  stm: 'Put the board into its bootloader, then choose its serial port or its USB device.',
} satisfies Record<DeviceFamily, string>;

const writeText = {
  esp: 'The chip hashes what was written, the flasher compares the hash, and the board restarts.',
  stm: 'The flasher checks what was written, then the program starts.',
} satisfies Record<DeviceFamily, string>;

/** What a flash is, for those who have never seen one. @param model as its vendor writes it */
export function HowItGoes({ family, model }: { readonly family: DeviceFamily; readonly model: string }) {
  const steps = [
    ['Pick the port', pickText[family]],
    ['Chip check', `The flasher refuses any board other than an ${model} before it writes a byte.`],
    ['Write and verify', writeText[family]],
  ];
  return (
    <section aria-labelledby="how">
      <h2 id="how">What happens when you flash</h2>
      <ol className={styles['steps']}>
        {steps.map(([name, text]) => (
          <li key={name}>
            <b>{name}</b>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
