/** Flasher documentation: to look things up. */
import { chipFacts, chipNames, espFailureText, usualAppOffset, usualTableOffset } from '@wirebench/flasher/espressif';
import {
  detectChoice,
  frequencyChoices,
  keepChoice,
  modeChoices,
  sizeChoices,
} from '../../../features/flasher/families/esp/write/flash-choices.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { arduinoBoards } from './avr.tsx';
import { nordicBoards } from './nordic.tsx';
import { stmBoards } from './stm.tsx';

const mebibyte = 2 ** 20;

/** Usual places of the parts of a build (ESP-IDF, "Partition Tables"; ESP8266 RTOS SDK and Arduino core, default layouts). */
const espLayout = [
  [
    'Bootloader',
    `${addressText(chipFacts.esp32.bootloaderOffset)} on ESP32`,
    'The chip’s ROM starts it. For other chips, see the table above.',
  ],
  ['Partition table', addressText(usualTableOffset), 'Says where everything else is.'],
  ['Application', addressText(usualAppOffset), 'The program, unless the table says otherwise.'],
  ['Data', `from ${addressText(usualAppOffset + mebibyte)}`, 'File systems and other data of the program.'],
] as const;
const esp8266Layout = [
  ['Application', addressText(0), 'The whole program, with its loader.'],
  ['Data', `from ${addressText(3 * mebibyte)}`, 'A file system.'],
] as const;

export const reference: DocsGroup = {
  name: 'Reference',
  sections: [
    {
      id: 'supported-devices',
      title: 'Supported devices',
      body: (
        <>
          <DocsTable
            label="Supported chips"
            head={['Chip', 'Bootloader at']}
            rows={chipNames.map((name) => [
              chipFacts[name].label,
              <code key="at">{addressText(chipFacts[name].bootloaderOffset)}</code>,
            ])}
          />
          <p>An ESP8285 is an ESP8266 with built-in flash, and is identified as such.</p>
          <p>STM32, Nordic chips and Arduino boards have flashers of their own, which are experimental.</p>
          <Subheading id="bridge-chips" title="USB bridges" />
          <p>
            Boards are usually connected through one of these: CP210x, CH340 and CH341, FTDI FT232, CH9102. Newer chips
            have built-in USB and need no bridge; their port disappears and returns when they restart.
          </p>
        </>
      ),
    },
    {
      id: 'flash-settings',
      title: 'Flash settings',
      body: (
        <>
          <p>
            The header of the bootloader tells the chip how to talk to its flash. “{keepChoice}” keeps the setting of
            the build, which is nearly always right.
          </p>
          <DocsTable
            label="Flash settings"
            head={['Setting', 'Choices', 'When to change it']}
            rows={[
              [
                'Mode',
                modeChoices.map((mode) => mode.toUpperCase()).join(', '),
                'DIO or DOUT when the flash has only two data lines',
              ],
              [
                'Frequency',
                `${frequencyChoices.join(', ')} MHz, as far as the chip supports it`,
                'with long or poor wiring',
              ],
              [
                'Size',
                `${sizeChoices.map(memoryText).join(', ')}; “${detectChoice}” uses the size read from the chip`,
                'when the build was made for a different flash size',
              ],
            ]}
          />
        </>
      ),
    },
    {
      id: 'flash-layouts',
      title: 'Layouts of ESP32 and ESP8266',
      body: (
        <>
          <Subheading id="layout-esp32" title="ESP32 family" />
          <DocsTable
            label="Layout of the ESP32 family"
            head={['Part', 'Usual address', 'What it is']}
            rows={espLayout}
          />
          <Subheading id="layout-esp8266" title="ESP8266" />
          <DocsTable
            label="Layout of the ESP8266"
            head={['Part', 'Usual address', 'What it is']}
            rows={esp8266Layout}
          />
          <p>Addresses are hexadecimal with 0x in front. Files must not overlap and must fit in the flash.</p>
        </>
      ),
    },
    stmBoards,
    nordicBoards,
    arduinoBoards,
    {
      id: 'error-codes',
      title: 'Error codes',
      body: (
        <DocsTable
          label="Error codes of the flasher"
          mono
          head={['Code', 'What happened', 'What to do']}
          rows={Object.entries(espFailureText).map(([code, { what, remedy }]) => [code, what, remedy])}
        />
      ),
    },
  ],
};
