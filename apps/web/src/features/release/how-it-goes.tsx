import styles from './how-it-goes.module.css';

/** What a flash is, for those who have never seen one. @param model as its vendor writes it */
export function HowItGoes({ model }: { readonly model: string }) {
  const steps = [
    ['Pick the port', 'The browser asks which board to use.'],
    ['Chip check', `Anything but an ${model} is refused before a byte is written.`],
    ['Write and verify', 'What was written is compared by its hash, then the board restarts.'],
  ];
  return (
    <section aria-labelledby="how">
      <h2 id="how">How it goes</h2>
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
