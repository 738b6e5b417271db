import type { NumberFormat } from '@wirebench/serial';
import styles from './plot-panel.module.css';

const forms = [
  { format: 'named', code: 'temp:23.4 hum:46', what: 'a name before each number' },
  { format: 'named', code: 'I (1200) adc: voltage = 3.29 V', what: 'also in a log line, with units' },
  { format: 'named', code: 'Sensor 1:512,Power (W):0.52', what: 'names with blanks and brackets' },
  { format: 'named', code: '{"temp":23.4,"hum":46}', what: 'or JSON' },
  { format: 'columns', code: '23.4,46,1013.2', what: 'numbers only, with commas, semicolons, tabs or spaces' },
  { format: 'columns', code: '23.4,nan,1013.2', what: 'nan, inf, null, -- or nothing leaves a gap' },
  { format: 'columns', code: '25,25;63,3', what: 'decimal commas, with semicolons or tabs' },
  { format: 'columns', code: 'time,temp,hum', what: 'a line of names above them labels the columns' },
] as const;

/** Shown until a number has arrived often enough. Lists the supported formats. */
export function PlotEmpty({ format }: { readonly format: NumberFormat }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
    <section className={`ring-inside ${styles['empty']}`} aria-label="No numbers yet" tabIndex={0}>
      <h2>No numbers yet</h2>
      <p>
        Wirebench looks for numbers in every received line. These become curves as soon as a name has arrived three
        times (eight times among other text), or a column twice:
      </p>
      <dl>
        {forms
          .filter((form) => format === 'any' || form.format === format)
          .map(({ code, what }) => (
            <div key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
