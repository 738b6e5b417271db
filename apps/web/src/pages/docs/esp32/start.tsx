/** Guide of the ESP32 bench: what it is, what it needs, the first minute, the ways to a board. */
import { esp32BenchPage, guidancePath, pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import { labBaudRates } from '../../../protocol/lab-protocol.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';
import { serialBrowsers } from '../serial-browsers.ts';

export const start: DocsGroup = {
  name: 'Start',
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      body: (
        <>
          <p>
            The ESP32 bench makes a bench instrument of a spare board. A bare ESP32 or ESP32-C3 is reset into its boot
            ROM, and the browser drives its pins and buses from there: watch and set pins, scan I2C, talk SPI, sample
            voltages, make PWM, count edges, bridge a UART, read and write single registers. The circuit under test is
            wired to the pins.
          </p>
          <p>
            Nothing is written to flash. The firmware that was on the board before runs again after Leave, or after a
            press of its EN button.{' '}
            <a href={esp32BenchPage} className="link">
              Open the bench
            </a>
            .
          </p>
          <DocsPicture
            name="lab"
            alt="The bench with a demo board: the pins with their levels on the left, the I2C panel with five found devices, the chip’s registers, a plot of a voltage, and the bus log."
          >
            The demo board after a scan: live pins, what was found on the bus, registers, and the log of it all.
          </DocsPicture>
          <p>
            <strong>Experimental.</strong> Everything was tried against the chips’ own ROM code in an emulator, and
            nothing on real chips yet. Begin with a board that you can afford to lose, and nothing valuable wired to it.
            See{' '}
            <a href="#limits" className="link">
              Limits
            </a>
            .
          </p>
        </>
      ),
    },
    {
      id: 'requirements',
      title: 'Requirements',
      body: (
        <>
          <ul>
            <li>{serialBrowsers}, on a page served over https or from localhost.</li>
            <li>
              A board with an ESP32 or an ESP32-C3 that can be flashed over USB or a serial adapter. What is in its
              flash does not matter: it may be empty.
            </li>
            <li>
              A USB cable that carries data, and the driver of the board’s USB bridge, unless your system includes it.
            </li>
            <li>Wires to the circuit: ground first, then the pins that you need. Pins take 3.3 V, never 5 V.</li>
          </ul>
          <p>
            Other chips of the family are recognised and refused. Boards in Secure Download Mode are refused too: their
            registers cannot be reached.
          </p>
        </>
      ),
    },
    {
      id: 'quick-start',
      title: 'Quick start',
      body: (
        <>
          <ol>
            <li>Connect ground of the board and of the circuit, then SDA and SCL of a sensor, for example.</li>
            <li>Open the bench, press Connect and pick the port of the board.</li>
            <li>Press Scan under I2C. Each device that answers is listed with what it is, and how sure that is.</li>
            <li>Choose one to read its registers.</li>
            <li>Press Leave: pins are released, and the board runs its own firmware again.</li>
          </ol>
          <p>
            No board at hand?{' '}
            <a href={`${esp32BenchPage}?demo`} className="link">
              The demo board
            </a>{' '}
            is a simulated ESP32 with sensors, a display, an EEPROM, a potentiometer, a button, an LED and a GNSS
            receiver on its pins.
          </p>
          <p>
            <WatchButton video="lab">Watch a sensor being found and read</WatchButton>
          </p>
        </>
      ),
    },
    {
      id: 'connecting',
      title: 'Connecting',
      body: (
        <>
          <p>
            Press Connect and pick the board. The arrow beside the button lists the boards that you have allowed before,
            and two demo boards, one with each chip. The page resets the board into its boot ROM through the control
            lines DTR and RTS, asks what chip it is, raises the baud rate and reads all pins.
          </p>
          <p>
            The link runs at {labBaudRates.at(-1)?.toLocaleString('en')} baud unless you choose another rate in the
            strip above the board. If the board does not answer at that rate, a lower one is used. A higher rate makes
            scans and live pins faster; a lower one helps with long cables.
          </p>
          <p>
            The strip names the chip, its revision and its MAC address. Boards are drawn as Espressif’s own development
            boards, because a chip does not tell which board it is on: go by the GPIO numbers.
          </p>
        </>
      ),
    },
    {
      id: 'boards-without-reset-lines',
      title: 'Boards without reset lines',
      body: (
        <>
          <p>
            Some boards and most plain serial adapters do not connect DTR and RTS to the chip. When a board does not
            answer, bring it into its boot ROM by hand:
          </p>
          <ol>
            <li>
              Hold <Kbd>BOOT</Kbd>, or connect GPIO 0 (ESP32) or GPIO 9 (ESP32-C3) to ground.
            </li>
            <li>
              Press and release <Kbd>EN</Kbd>, then release <Kbd>BOOT</Kbd>.
            </li>
            <li>Press “I held BOOT and pressed EN”. The control lines are left alone this time.</li>
          </ol>
          <p>
            On an ESP32-C3 that is plugged in by its own USB, the page finds the port again after the reset. More about
            this is in the flasher’s guide:{' '}
            <Link to={guidancePath('boot-mode-required')} className="link">
              Boot mode required
            </Link>
            .
          </p>
        </>
      ),
    },
    {
      id: 'bme280-example',
      title: 'Example: a BME280, from wires to a plot',
      body: (
        <>
          <p>
            A BME280 measures temperature, pressure and humidity. Every step works on the demo board as well, which has
            one on the same pins: skip the wiring.
          </p>
          <Subheading id="bme280-wiring" title="Wire it" />
          <DocsTable
            label="Wires of the BME280"
            head={['Sensor', 'ESP32', 'ESP32-C3']}
            rows={[
              ['VCC or VIN', '3V3', '3V3'],
              ['GND', 'GND', 'GND'],
              ['SDA or SDI', 'GPIO 21', 'GPIO 5'],
              ['SCL or SCK', 'GPIO 22', 'GPIO 6'],
            ]}
          />
          <p>Most sensor boards have pull-up resistors. The chip’s own, which are weak, are switched on as well.</p>
          <Subheading id="bme280-finding" title="Find it" />
          <ol>
            <li>
              Connect the board, or press “Try the Demo ESP32 bench”. The pins are live as soon as the bench opens.
            </li>
            <li>
              Press Scan, or <Kbd>Shift+I</Kbd>. The list shows 0x76 (0x77 on some boards): BME280, identified by
              register 0xD0 = 0x60.
            </li>
          </ol>
          <Subheading id="bme280-by-hand" title="Read it by hand" />
          <ol>
            <li>With 0x76 chosen, type register D0 and press Read. The answer is 60: the chip’s identification.</li>
            <li>
              Type register F2 and write 01, then register F4 and write 27: oversampling ×1 for everything, and
              measuring all the time. The sensor sleeps until then.
            </li>
            <li>
              Type register F7, 8 bytes, and press Read: three bytes of pressure, three of temperature, two of humidity,
              all raw. To make degrees of them takes the calibration in the chip and three pages of the data sheet.
            </li>
          </ol>
          <Subheading id="bme280-readings" title="Let its JKit read it" />
          <p>
            The description of the BME280 that comes with Wirebench has all of that: the set-up, the calibration, the
            formulas. Choose <em>Open JKit</em> beside the device in the list. In <em>Device</em>, press{' '}
            <em>Initialise…</em>, which sets the sensor up, then <em>Live</em>: temperature, pressure and humidity
            appear with their units and as curves. See{' '}
            <a href="#chip-jkits" className="link">
              Chip JKits
            </a>
            .
          </p>
          <DocsPicture
            name="lab-device"
            alt="The device panel of a BME280: temperature, pressure and humidity with their units, each with its curve."
          >
            The BME280 of the demo board, read four times a second.
          </DocsPicture>
        </>
      ),
    },
    {
      id: 'leaving',
      title: 'Leaving',
      body: (
        <>
          <p>
            Leave, or <Kbd>Shift+L</Kbd>, makes every pin that was used an input again, resets the board and closes the
            port. The board then starts the firmware in its flash, as if it had been plugged in. Without reset lines it
            is reset by a register: such a board may wait in its boot ROM until you press EN.
          </p>
          <p>
            Closing the page asks first while a board is on the bench. If the page goes away without Leave, the pins
            stay as they were until the board is reset or loses power: press EN. The{' '}
            <Link to={pagePaths.uart} className="link">
              terminal
            </Link>{' '}
            and the flashers can open the port after Leave.
          </p>
        </>
      ),
    },
  ],
};
