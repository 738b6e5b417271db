/** Guide of the ESP32 bench: to look things up. */
import { guidancePath, guidanceTopics } from '@wirebench/contract/constants';
import { type LabFailureCode, labFailureText } from '@wirebench/lab';
import { Link } from 'react-router';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

const failures = Object.entries(labFailureText) as readonly (readonly [
  LabFailureCode,
  { what: string; remedy: string },
])[];

export const reference: DocsGroup = {
  name: 'Reference',
  sections: [
    {
      id: 'safety',
      title: 'Safety',
      body: (
        <>
          <p>
            Everything that is sent to the chip is checked against a list of what may be sent; what is in no table is
            refused, with the reason, before anything happens. There is no way round it for instruments, chip JKits and
            register writes.
          </p>
          <DocsTable
            label="What is refused"
            head={['What', 'Why']}
            rows={[
              ['Commands that read, write or set up flash', 'the flash is not touched, and not even attached'],
              ['The controllers of the flash chip', 'a wrong bit could write to it'],
              ['eFuses', 'they can be burned only once'],
              ['Locked pins, in every register that can move them', 'they belong to the flash chip or the connection'],
              ['UART0, and the clocks that the connection needs', 'the connection would be lost'],
              ['The ROM and its memory', 'the ROM would crash'],
              ['Addresses that are in no table, or not a multiple of 4', 'a wrong address crashes the ROM'],
            ]}
          />
          <Subheading id="your-circuit" title="What it cannot protect" />
          <p>
            Your circuit. An output against an output, 5 V on a pin or a short circuit damages a chip as with any other
            program. Connect ground first, and check the wiring before you make a pin an output. After 22 provoked
            crashes and every other session in the emulator, the flash was as before, bit by bit.
          </p>
        </>
      ),
    },
    {
      id: 'limits',
      title: 'Limits',
      body: (
        <>
          <p>
            Experimental: none of this has met a real chip yet. What the ROM does with bytes was tried against genuine
            ROM code in an emulator. Its peripherals are models: analog accuracy, real timing and the effect of pulls
            are not known. SPI of the ESP32-C3 follows the documentation alone.
          </p>
          <DocsTable
            label="Limits from the boot ROM"
            head={['What', 'Limit']}
            rows={[
              ['I2C', '10 to 400 kHz, 31 bytes a transfer, addresses of 7 bits; the ROM’s program is the only master'],
              ['SPI', '1 to 64 bytes a transfer, 100 kHz to 10 MHz, one device with CS'],
              ['UART bridge', '1,200 to 115,200 baud, 8N1, half duplex'],
              ['Analog', 'ADC1 only, 50 samples a second, not calibrated'],
              ['PWM', 'one channel, 5 Hz to 5 MHz'],
              ['Counter', 'ESP32 only, one pin, up to 650,000 edges a second; period from 2.4 Hz on'],
              ['Levels of pins', 'shown at most thirty times a second: shorter pulses are missed'],
              ['Link', 'writes have no checksum: on a bad cable, a lower baud rate is safer'],
            ]}
          />
          <p>
            A USB adapter adds 1 to 16 ms to every round trip. What is simulated says <em>Demo</em>.
          </p>
        </>
      ),
    },
    {
      id: 'keyboard-shortcuts',
      title: 'Keyboard shortcuts',
      body: (
        <>
          <p>They act while a board is on the bench and you are not typing.</p>
          <DocsTable
            label="Keyboard shortcuts"
            mono
            head={['Keys', 'What happens']}
            rows={[
              ['Shift+P', 'go to the pins; arrow keys walk along them'],
              ['Shift+I', 'scan I2C'],
              ['Shift+R', 'go to the registers'],
              ['Shift+L', 'leave the board'],
              ['Ctrl+F', 'find, while the bus log has the focus'],
            ]}
          />
        </>
      ),
    },
    {
      id: 'troubleshooting',
      title: 'Troubleshooting',
      body: (
        <>
          <DocsTable
            label="Symptoms"
            head={['Symptom', 'What to try']}
            rows={[
              ['The port is not in the browser’s list', topicLink('device-not-found')],
              ['The port could not be opened', topicLink('port-access-denied')],
              [
                'The board does not answer',
                <a key="by-hand" href="#boards-without-reset-lines" className="link">
                  Bring it into its boot ROM by hand
                </a>,
              ],
              [
                'No address answers a scan',
                'check power and ground of the device, swap SDA and SCL, let Find my I2C try the pins, try 10 kHz',
              ],
              [
                'Every scan ends with a stuck bus',
                'Recover; then switch the device off and on, and look for a short circuit',
              ],
              [
                'A device is found, and its registers make no sense',
                'check the size of the register’s number (8 or 16 bits), and whether the name was guessed by address only',
              ],
              ['An input flickers', 'nothing drives it: choose a pull, or connect it'],
              [
                'An output does not move its pin',
                'another output or a strong pull holds it; open drain needs a pull-up',
              ],
              [
                'The voltage is off by a tenth',
                'it is not calibrated: compare with a meter, stay between 0.2 and 2.5 V',
              ],
              ['Bytes of the UART bridge are missing', 'raise the baud rate of the link, or lower that of the bridge'],
              ['A register write is refused', 'the message says which pin or part it belongs to'],
              ['The board restarts by itself', topicLink('brown-out-reset')],
              ['After Leave the board does not start', 'press EN; without reset lines its boot pin may still be held'],
            ]}
          />
          <p>These are the messages of the bench, each with its code. None of them means that flash was written.</p>
          <DocsTable
            label="Failures of the bench"
            mono
            head={['Code', 'What happened', 'What to do']}
            rows={failures.map(([code, { what, remedy }]) => [code, what, remedy] as const)}
          />
        </>
      ),
    },
  ],
};

function topicLink(topic: keyof typeof guidanceTopics) {
  return (
    <Link key={topic} to={guidancePath(topic)} className="link">
      {guidanceTopics[topic]}
    </Link>
  );
}
