/** Guide of the ESP32 bench: descriptions of chips, used and written. */

import { pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import { hasServer } from '../../../shared/edition.ts';
import type { DocsGroup } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';
import { chipFields, readingFields, registerFields } from './chip-fields.ts';

/** The demo boards have this sensor at 0x48. */
export const chipSample = `{
  "name": "TMP105",
  "manufacturer": "Texas Instruments",
  "source": "SLLS648D, tables 2 to 8",
  "category": "Sensors",
  "bus": "i2c",
  "addresses": ["0x48", "0x49"],
  "increments": false,
  "registers": [
    { "name": "temperature", "address": "0x00", "width": 16, "signed": true },
    { "name": "configuration", "address": "0x01", "access": "rw" }
  ],
  "init": [{ "register": "configuration", "value": "0x60" }],
  "readings": [
    {
      "name": "Temperature",
      "formula": "temperature / 256",
      "unit": "°C",
      "minimum": -40,
      "maximum": 125,
      "decimals": 2
    }
  ],
  "interval": 250
}`;

const rowsOf = (fields: Readonly<Record<string, readonly [string, string]>>) =>
  Object.entries(fields).map(([name, [value, meaning]]) => [name, value, meaning] as const);

const head = ['Field', 'Value', 'What it is for'];

export const chips: DocsGroup = {
  name: 'Chips',
  sections: [
    {
      id: 'chip-jkits',
      title: 'Chip JKits',
      body: (
        <p>
          A chip JKit describes one device of an I2C or SPI bus: addresses, registers, how to recognise it, its set-up,
          and formulas that turn its bytes into readings with units. Open one on a found device to see its readings,
          their curves and its registers by name. Descriptions of two dozen common chips come with Wirebench and need no
          account{hasServer ? '; those that others share are found by part, maker, category or address' : ''}.
        </p>
      ),
    },
    {
      id: 'writing-chips',
      title: 'Describe a chip',
      body: (
        <>
          <p>
            “Describe a chip” in the{' '}
            <Link to={pagePaths.esp32} className="link">
              ESP32 bench
            </Link>{' '}
            opens the editor: it checks the description while you type, says what is wrong in one sentence each, and
            shows what it says. Start from an existing description, or from an empty one.{' '}
            {hasServer ? 'With an account you can save and share it.' : 'It is kept in this browser.'}
          </p>
          <Subheading id="chip-example" title="Example: a temperature sensor" />
          <p>
            The TMP105 has two registers that matter. The set-up chooses 12 bits and continuous conversion; the
            temperature is in 1/256 °C. The demo boards have one at 0x48.
          </p>
          <CodeBlock name="tmp105.json" text={chipSample} />
          <Subheading id="chip-fields" title="Fields" />
          <p>
            A description is JSON. Numbers may be written as text in hex, such as <code>"0x76"</code>. An unknown field
            is refused, because a slip of the pen would be a wrong reading.
          </p>
          <DocsTable label="Fields of a description" mono head={head} rows={rowsOf(chipFields)} />
          <DocsTable label="Fields of a register" mono head={head} rows={rowsOf(registerFields)} />
          <DocsTable label="Fields of a reading" mono head={head} rows={rowsOf(readingFields)} />
          <Subheading id="chip-formulas" title="Formulas" />
          <p>
            Formulas have C’s operators and use registers, fields of registers (<code>status.busy</code>) and the values
            before them. Functions of both kinds are <code>abs</code>, <code>min</code> and <code>max</code>. Integers
            also have <code>bits(value, high, low)</code>, <code>signed(value, width)</code> and <code>bcd</code>, and
            doubles <code>sqrt</code>, <code>ln</code>, <code>log10</code>, <code>exp</code>, <code>pow</code>,{' '}
            <code>round</code> and <code>floor</code>. A formula that fails takes its own reading with it and no other.
          </p>
          <Subheading id="chip-limits" title="What cannot be described" />
          <p>
            A description reaches only the addresses and registers that it names, and no pin or register of the board.
            One transfer has at most 31 bytes and one register 32 bits. Chips that talk in packets with checksums, or
            whose set-up depends on what they answer, cannot be described.
          </p>
        </>
      ),
    },
  ],
};
