/** Guide of the ESP32 bench: the instruments that work from the boot ROM. */
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const instruments: DocsGroup = {
  name: 'Instruments',
  sections: [
    {
      id: 'pins',
      title: 'Pins',
      body: (
        <>
          <p>
            All levels are read many times a second and shown beside the pads. Choose a pin to see how it is set, and
            what it can be: input, output, PWM or analog. An output starts at the level that you chose before it drives
            the pin, so there is no glitch. Release makes it an input without pulls, as after a reset.
          </p>
          <DocsPicture
            name="lab-pins"
            alt="The pins of a demo ESP32: pads with level and direction, an output at GPIO 26 that is high, locked pins with a lock, and the selected pin below."
          >
            GPIO 26 drives an LED; the pins with a lock belong to the flash chip and the connection.
          </DocsPicture>
          <Subheading id="locked-pins" title="Why some pins are locked" />
          <p>
            A locked pin is one that the flash chip or the connection itself needs. No instrument and no register write
            reaches it, and it says why. Pins with a note can be used, but decide how the chip starts, or are taken on
            some modules: read the note first.
          </p>
          <DocsTable
            label="Locked pins and pins with a note"
            head={['Chip', 'Locked', 'With a note', 'Input only']}
            rows={[
              [
                'ESP32',
                '6 to 11 (flash chip), 1 and 3 (UART0); 16 and 17 in packages with memory inside',
                '0, 2, 5, 12, 15 (how the chip starts; 12 high at a reset sets the flash to 1.8 V), 16, 17 (PSRAM on WROVER)',
                '34 to 39, without pulls',
              ],
              [
                'ESP32-C3 over a serial bridge',
                '11 to 17 (flash chip and its supply), 20 and 21 (UART0)',
                '2, 8, 9 (how the chip starts), 18, 19 (USB on many boards)',
                'none',
              ],
              [
                'ESP32-C3 over its own USB',
                '11 to 17 (flash chip and its supply), 18 and 19 (USB)',
                '2, 8, 9 (how the chip starts)',
                'none',
              ],
            ]}
          />
          <Subheading id="pins-in-use" title="Pins in use" />
          <p>
            A pin belongs to one instrument at a time, and is drawn in its colour. Close the instrument, or release the
            pin, to use it for something else.
          </p>
        </>
      ),
    },
    {
      id: 'i2c',
      title: 'I2C',
      body: (
        <>
          <p>
            Choose SDA, SCL and a clock from 10 to 400 kHz, and press Scan. All 112 addresses from 0x08 to 0x77 are
            asked. The pins become open drain with the chip’s weak pull-ups; a bus of more than a few centimetres needs
            resistors of its own, 4.7 kΩ for example.
          </p>
          <DocsPicture
            name="lab-i2c"
            alt="The I2C panel: a grid of all addresses with five marked, the list of found devices with names and evidence, and fields to read and write registers."
          >
            Five devices: two identified by a register, the others guessed from their address.
          </DocsPicture>
          <Subheading id="find-my-i2c" title="Find my I2C" />
          <p>
            If you do not know the pins: it looks for free pins that something pulls up, tries them in pairs, and lists
            those on which devices answer. Pins in use are left alone. You can cancel it.
          </p>
          <Subheading id="certainty" title="What it is, and how sure" />
          <DocsTable
            label="How sure a name is"
            head={['Shown', 'Meaning']}
            rows={[
              ['Identified by …', 'a register of the device holds what its data sheet says'],
              ['Likely: …', 'what was read fits, but fits other devices as well'],
              ['By address only', 'a device that is often found at this address; nothing in it says what it is'],
            ]}
          />
          <Subheading id="transfers" title="Registers and transfers" />
          <p>
            Choose a found device, or type an address. Read asks for up to 31 bytes from a register with a number of 8
            or 16 bits; Write sends bytes to it. When the answer to a transfer is lost, it is not repeated: the message
            says that it may have taken place or not. Read the device back before you write again.
          </p>
          <Subheading id="stuck-bus" title="A bus that is stuck" />
          <p>
            A device that was interrupted while it sent a 0 holds SDA low, and nothing can be said of any address.
            Recover sends nine clocks and a stop, which frees most of them, and scans again.
          </p>
        </>
      ),
    },
    {
      id: 'analog',
      title: 'Analog',
      body: (
        <>
          <p>
            Choose pins of ADC1 to sample them: 32 to 39 on the ESP32, 0 to 4 on the ESP32-C3. The plot shows the last
            10 seconds to 10 minutes; Live stops and follows it, and the samples can be saved as CSV.
          </p>
          <DocsPicture
            name="lab-analog"
            alt="The analog panel: buttons for the pins that can be sampled, one of them chosen with its raw value and voltage, and its curve over time."
          >
            The potentiometer of the demo board at GPIO 34.
          </DocsPicture>
          <p>
            Values are raw, with 12 bits. The voltage beside them is approximate: the chip’s calibration is not used,
            and the converter is wrong near 0 V and above 2.5 V. Never put more than 3.3 V on a pin.
          </p>
        </>
      ),
    },
    {
      id: 'pwm',
      title: 'PWM',
      body: (
        <p>
          A pin as PWM runs by itself, with a frequency from 5 Hz to 5 MHz and a duty cycle from 0 to 100 %. There is
          one channel: a second pin takes it from the first. Up to 4.8 kHz the duty cycle has 13 bits, above that fewer.
          The level of such a pin is drawn as a wave, because reading it now and then says nothing.
        </p>
      ),
    },
    {
      id: 'counter',
      title: 'Counter',
      body: (
        <>
          <p>
            Counts rising, falling or both edges of one pin, and measures their frequency and period. Choose the pin and
            press Count; Reset begins again at 0. A pin that nobody uses becomes an input without pulls. A pin of
            another instrument is only listened to: count the clock of SPI, or a PWM output of the bench itself.
          </p>
          <DocsPicture
            name="lab-counter"
            alt="The counter panel: GPIO 25 is counted, with the number of rising edges, a frequency of 1 kHz and a period of 1 ms, each with its uncertainty."
          >
            The bench counts its own PWM output.
          </DocsPicture>
          <p>
            The chip itself counts and times, so nothing of the link is in the figures. ± is what one tick of the chip
            makes of the result, 25 ns at best; its crystal, which is off by some 10 to 50 millionths, comes on top.
            Where the measured periods differ, the panel says from which to which, and the figure is their mean. A
            period takes two rising edges within a second, and no level longer than 0.2 s: about 2.4 Hz to 10 MHz.
          </p>
          <p>
            The count is read twenty times a second, and the chip’s counter starts again after 32,767 edges. Above some
            650,000 edges a second, or less while a capture has the link for itself, the panel says “At least”: there
            were more. The ESP32-C3 has no pulse counter; use{' '}
            <a href="#capture" className="link">
              Capture
            </a>{' '}
            there.
          </p>
        </>
      ),
    },
    {
      id: 'spi',
      title: 'SPI',
      body: (
        <>
          <p>
            Choose CLK, MOSI, MISO and CS, a mode from 0 to 3 and a clock from 100 kHz to 10 MHz, and exchange 1 to 64
            bytes: as many come back as are sent, so put zeros where the device is to answer. <code>9F 00 00 00</code>{' '}
            asks a flash chip for its identification.
          </p>
          <DocsPicture
            name="lab-spi"
            alt="The SPI panel: four pins, mode and clock, the bytes to send, and the bytes that came back."
          >
            An exchange on the demo board, which has nothing on these pins: zeros come back.
          </DocsPicture>
        </>
      ),
    },
    {
      id: 'uart-bridge',
      title: 'UART bridge',
      body: (
        <>
          <p>
            A second serial port for the circuit: choose TX, RX and a baud rate, and open it. What the circuit sends is
            in the bus log as port 2, byte for byte, and what you type is sent with the line ending that you chose. On
            the demo board, a GNSS receiver talks at 9,600 baud: RX on GPIO 16, or GPIO 4 of the ESP32-C3.
          </p>
          <DocsPicture
            name="lab-uart"
            alt="The bus log: the UART bridge was opened on TX 17 and RX 16 at 9,600 baud, and sentences of a GNSS receiver arrive as port 2."
          >
            The GNSS receiver of the demo board, through the bridge.
          </DocsPicture>
          <p>
            From the boot ROM, the bridge is half duplex: writing a byte can take away one that is just arriving, so
            what waits is read first. Each received byte costs 14 bytes each way on the link; the panel says when the
            link is too slow for a rate. Full duplex needs the{' '}
            <a href="#ram-program" className="link">
              program in RAM
            </a>
            .
          </p>
        </>
      ),
    },
    {
      id: 'registers',
      title: 'Registers',
      body: (
        <>
          <p>
            The registers that the instruments use, by name. Read all reads those that are unfolded and marks what has
            changed since; choose one to see its fields and bits. Flip bits and write: only the bits that you changed
            are written, and the register is read back. What is refused says why.
          </p>
          <DocsPicture
            name="lab-registers"
            alt="The registers panel: a tree of groups with values in hex, and the selected register bit by bit with its fields."
          >
            Bit 26 of OUT is the level of GPIO 26.
          </DocsPicture>
          <p>Registers that lose something by being read, such as a FIFO, are never read with the others.</p>
        </>
      ),
    },
    {
      id: 'bus-log',
      title: 'Bus log',
      body: (
        <p>
          Every instrument leaves a line of what it did, with its time: as sent what only wrote, as received what read
          something. Find, filters, hex and exports work as in the terminal; <code>dir:tx</code> shows everything that
          changed something. Samples of voltages and reads of levels are not logged: they would push all else out of
          sight. The log stays in this browser.
        </p>
      ),
    },
  ],
};
