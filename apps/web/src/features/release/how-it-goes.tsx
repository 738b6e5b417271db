import type { DeviceFamily } from '@wirebench/contract/constants';
import { familyWords } from './family-words.ts';
import styles from './how-it-goes.module.css';

/** What a flash is, for those who have never seen one. @param model as its vendor writes it */
export function HowItGoes({ family, model }: { readonly family: DeviceFamily; readonly model: string }) {
  const { pick, write } = familyWords[family];
  const steps = [
    ['Pick the port', pick],
    ['Chip check', `The flasher refuses any board other than an ${model} before it writes a byte.`],
    ['Write and verify', write],
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
